import { useQuery } from "@tanstack/react-query";
import { Check, Copy, Download } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { REFERRAL_PARAMETER } from "../../../shared/commission.ts";
import { saveFile } from "../../lib/browser/save-file.ts";
import { useCopy } from "../../lib/browser/use-copy.ts";
import { qrCodeQuery } from "../../lib/qr/qr.queries.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** The affiliate's link, to copy or to print as a code. */
export function AffiliateLink({ code }: { code: string }) {
  const { t } = useTranslation("affiliates");
  const url = location.origin + paths.recommended(code);
  const field = useRef<HTMLInputElement>(null);
  const { result, copy } = useCopy(url, field);
  return (
    <Panel title={t("link.title")} text={t("link.text", { query: `?${REFERRAL_PARAMETER}=${code}` })}>
      <div className="grid grid-cols-1 gap-6 sm:grid-cols-[1fr_auto]">
        <div className="grid grid-cols-1 content-start gap-2">
          <div className="flex flex-col gap-2 sm:flex-row">
            <input
              ref={field}
              readOnly
              value={url}
              aria-label={t("link.label")}
              onFocus={({ target }) => target.select()}
              className="min-h-12 min-w-0 grow rounded-xl border border-edge bg-sunken px-4 text-ellipsis text-ink"
            />
            <Button onClick={copy} className="min-h-12 shrink-0">
              {result === "copied" ? <Check aria-hidden className="size-5" /> : <Copy aria-hidden className="size-5" />}
              {result === "copied" ? t("link.copied") : t("link.copy")}
            </Button>
          </div>
          <p role="status" className={result === "failed" ? "text-sm text-danger-text" : "sr-only"}>
            {result === "copied" && t("link.copied")}
            {result === "failed" && t("link.copyFailed")}
          </p>
        </div>
        <LinkCode url={url} />
      </div>
    </Panel>
  );
}

function LinkCode({ url }: { url: string }) {
  const { t } = useTranslation("affiliates");
  const code = useQuery(qrCodeQuery(url));
  if (code.isLoadingError) return <Problem error={new Error(t("link.qrFailed"))} retry={code.refetch} />;
  return (
    <div className="flex flex-wrap items-center gap-4">
      {code.data ? (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(code.data.svg)}`}
          alt={t("link.qr")}
          width={128}
          height={128}
          className="size-32 rounded-xl border border-line"
        />
      ) : (
        <Skeleton className="size-32" />
      )}
      <div className="grid gap-2">
        <Button
          variant="quiet"
          size="small"
          disabled={!code.data}
          onClick={() => code.data && saveFile(new Blob([code.data.svg], { type: "image/svg+xml" }), "Skies.svg")}
        >
          <Download aria-hidden className="size-5" />
          {t("link.saveSvg")}
        </Button>
        <Button
          variant="quiet"
          size="small"
          disabled={!code.data}
          onClick={() => code.data && saveFile(code.data.png, "Skies.png")}
        >
          <Download aria-hidden className="size-5" />
          {t("link.savePng")}
        </Button>
      </div>
    </div>
  );
}
