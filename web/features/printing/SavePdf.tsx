import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../lib/browser/save-file.ts";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Preview } from "./Preview.tsx";
import type { Format } from "./sheets.ts";
import type { usePrintedPages } from "./use-printed-pages.ts";

interface SavePdfProps {
  printed: ReturnType<typeof usePrintedPages>;
  format: Format;
  /** The memory's name. */
  name: string;
  /** Saves the words. */
  onSave: () => void;
}

/** The preview of the sheets, and the button that saves them as a file. */
export function SavePdf({ printed, format, name, onSave }: SavePdfProps) {
  const { t } = useTranslation("printing");
  const [busy, setBusy] = useState(false);
  const formatName = t(`format.${format}`);
  const save = async () => {
    if (busy || printed.state !== "ready") return;
    setBusy(true);
    onSave();
    const title = t("file", { name, format: formatName });
    try {
      saveFile(await printed.pdf(title), `${title.replace(/[\\/:*?"<>|]+/g, " ").trim()}.pdf`);
    } catch {
      toast({ title: t("save.failed"), description: t("save.failedText"), tone: "problem" });
    }
    setBusy(false);
  };
  return (
    <section
      aria-label={t("preview.label")}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:sticky lg:top-[calc(var(--header-height)+1rem)]"
    >
      {printed.state === "waiting" && <Skeleton className="h-96" />}
      {printed.state === "nothing" && (
        <p className="rounded-2xl bg-sunken p-6 text-center text-ink-soft">
          {t(format === "places" ? "places.empty" : "codes.choose")}
        </p>
      )}
      {(printed.state === "tooSmall" || printed.state === "failed") && (
        <p role="alert" className="rounded-2xl bg-sunken p-6 text-danger-text">
          {t(`preview.${printed.state}`)}
        </p>
      )}
      {printed.state === "ready" && <Preview pages={printed.pages} name={formatName} />}
      <Button
        icon={Download}
        size="large"
        aria-busy={busy}
        aria-disabled={busy || printed.state !== "ready"}
        onClick={() => void save()}
      >
        {t("save.pdf")}
      </Button>
      <p className="text-sm text-ink-soft">{t("save.note")}</p>
    </section>
  );
}
