import { Printer } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { printedQrCode } from "../../../lib/qr/qr.queries.ts";
import type { PrintSize } from "../../../lib/qr/qr-pdf.ts";
import { Button } from "../../../ui/Button.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toast } from "../../../ui/toasts.tsx";

const SIZES: readonly PrintSize[] = [20, 30, 50, 80];
const isSize = (size: number): size is PrintSize => SIZES.some((one) => one === size);

interface PrintCodeProps {
  url: string;
  /** Whose memory it is; written under the code where that is wanted. */
  name: string;
  fileName: string;
}

/** The code as a PDF file for a printer: how large, and whether with the name under it. */
export function PrintCode({ url, name, fileName }: PrintCodeProps) {
  const { t } = useTranslation("sharing");
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
      <div>
        <h5 className="font-semibold">{t("print.title")}</h5>
        <p className="text-sm text-ink-soft">{t("print.text")}</p>
      </div>
      <SegmentedControl
        label={t("print.size")}
        value={String(size)}
        onChange={(value) => isSize(Number(value)) && setSize(Number(value) as PrintSize)}
        options={SIZES.map((mm) => ({ value: String(mm), label: t("print.mm", { count: mm }) }))}
      />
      <Switch label={t("print.named")} checked={named} onChange={setNamed} />
      <Button variant="quiet" size="small" className="justify-self-start" aria-busy={busy} onClick={save}>
        <Printer aria-hidden className="size-5" />
        {t("print.pdf")}
      </Button>
    </div>
  );
}
