import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../lib/browser/save-file.ts";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Preview } from "./Preview.tsx";
import type { Page } from "./sheets.ts";

/** Pages that can be saved, or why there are none. */
export type PrintState =
  | { state: "waiting" | "failed" | "tooSmall" | "nothing" }
  | { state: "ready"; pages: readonly Page[]; pdf: (title: string) => Promise<Blob> };

interface SavePdfProps {
  printed: PrintState;
  /** What is printed, e.g. "8 cards". */
  format: string;
  /** The memory's name. */
  name: string;
  /** What to say when there is nothing to print. */
  nothing: string;
  /** How to print it. */
  note: string;
  /** Saves the words. */
  onSave: () => void;
}

/** The preview of the pages, and the button that saves them as a file. */
export function SavePdf({ printed, format, name, nothing, note, onSave }: SavePdfProps) {
  const { t } = useTranslation("printing");
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (busy || printed.state !== "ready") return;
    setBusy(true);
    onSave();
    const title = t("file", { name, format });
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
      {printed.state === "nothing" && <p className="rounded-2xl bg-sunken p-6 text-center text-ink-soft">{nothing}</p>}
      {(printed.state === "tooSmall" || printed.state === "failed") && (
        <p role="alert" className="rounded-2xl bg-sunken p-6 text-danger-text">
          {t(`preview.${printed.state}`)}
        </p>
      )}
      {printed.state === "ready" && <Preview pages={printed.pages} name={format} />}
      <Button
        icon={Download}
        size="large"
        aria-busy={busy}
        aria-disabled={busy || printed.state !== "ready"}
        onClick={() => void save()}
      >
        {t("save.pdf")}
      </Button>
      <p className="text-sm text-ink-soft">{note}</p>
    </section>
  );
}
