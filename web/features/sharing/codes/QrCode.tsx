import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { qrCodeQuery } from "../../../lib/qr/qr.queries.ts";
import { Button } from "../../../ui/Button.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { PrintCode } from "./PrintCode.tsx";

/** The link as a code to print, seen, and kept as SVG, PNG and PDF. */
export function QrCode({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation("sharing");
  const id = useId();
  const code = useQuery(qrCodeQuery(url));
  const fileName = `Skies ${name}`.replace(/[\\/:*?"<>|]+/g, " ").trim();
  return (
    <section aria-labelledby={id} className="grid gap-4 border-t border-line pt-6">
      <div className="grid gap-4 sm:grid-cols-[auto_1fr] sm:gap-6">
        {code.isPending ? (
          <Skeleton className="size-40" />
        ) : code.isError ? (
          <Problem error={new Error(t("qr.failed"))} retry={code.refetch} />
        ) : (
          <img
            src={`data:image/svg+xml,${encodeURIComponent(code.data.svg)}`}
            alt={t("qr.alt")}
            width={160}
            height={160}
            className="size-40 rounded-xl border border-line"
          />
        )}
        <div className="grid content-center gap-3">
          <div>
            <h4 id={id} className="font-semibold">
              {t("qr.title")}
            </h4>
            <p className="text-sm text-ink-soft">{t("qr.text")}</p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="quiet"
              size="small"
              disabled={!code.data}
              onClick={() =>
                code.data && saveFile(new Blob([code.data.svg], { type: "image/svg+xml" }), `${fileName}.svg`)
              }
            >
              <Download aria-hidden className="size-5" />
              {t("qr.svg")}
            </Button>
            <Button
              variant="quiet"
              size="small"
              disabled={!code.data}
              onClick={() => code.data && saveFile(code.data.png, `${fileName}.png`)}
            >
              <Download aria-hidden className="size-5" />
              {t("qr.png")}
            </Button>
          </div>
        </div>
      </div>
      <PrintCode url={url} name={name} fileName={fileName} />
    </section>
  );
}
