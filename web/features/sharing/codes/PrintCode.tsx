import { useQuery } from "@tanstack/react-query";
import { Download, Printer } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { printedQrCode, qrCodeQuery } from "../../../lib/qr/qr.queries.ts";
import type { PrintSize } from "../../../lib/qr/qr-pdf.ts";
import { Button } from "../../../ui/Button.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toast } from "../../../ui/toasts.tsx";

const SIZES: readonly PrintSize[] = [20, 30, 50, 80];
const isSize = (size: number): size is PrintSize => SIZES.some((one) => one === size);

interface PrintCodeProps {
  url: string;
  /** The memory's name, which can be printed as the code's caption. */
  name: string;
}

/** Renders buttons to download the code as a picture, or as a PDF file of a chosen size with or without the name. */
export function PrintCode({ url, name }: PrintCodeProps) {
  const { t } = useTranslation("sharing");
  const { data: code } = useQuery(qrCodeQuery(url));
  const fileName = `Skies ${name}`.replace(/[\\/:*?"<>|]+/g, " ").trim();
  const [size, setSize] = useState<PrintSize>(30);
  const [named, setNamed] = useState(true);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const pdf = await printedQrCode(url, { size, caption: named ? name : "" });
      saveFile(pdf, `${fileName} ${size} mm.pdf`);
    } catch {
      toast({ title: t("qr.failed"), description: t("print.failedText"), tone: "problem" });
    }
    setBusy(false);
  };
  return (
    <div className="grid gap-3 rounded-2xl bg-sunken p-4">
      <p className="text-sm text-ink-soft">{t("print.text")}</p>
      <SegmentedControl
        label={t("print.size")}
        value={String(size)}
        onChange={(value) => isSize(Number(value)) && setSize(Number(value) as PrintSize)}
        options={SIZES.map((mm) => ({ value: String(mm), label: t("print.mm", { count: mm }) }))}
      />
      <Switch label={t("print.named")} checked={named} onChange={setNamed} />
      <div className="flex flex-wrap gap-2">
        <Button icon={Printer} size="small" aria-busy={busy} onClick={save}>
          {t("print.pdf")}
        </Button>
        {code && (
          <>
            <Button
              icon={Download}
              variant="quiet"
              size="small"
              onClick={() => saveFile(new Blob([code.svg], { type: "image/svg+xml" }), `${fileName}.svg`)}
            >
              {t("qr.svg")}
            </Button>
            <Button icon={Download} variant="quiet" size="small" onClick={() => saveFile(code.png, `${fileName}.png`)}>
              {t("qr.png")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
