import { Check, Copy } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useCopy } from "../../lib/browser/use-copy.ts";
import { Button } from "../../ui/Button.tsx";

/** The link in full, to be copied by one press, or by hand where the browser does not let a page copy. */
export function CopyLink({ url }: { url: string }) {
  const { t } = useTranslation("sharing");
  const field = useRef<HTMLInputElement>(null);
  const { result, copy } = useCopy(url, field);
  return (
    <div className="grid gap-2">
      <div className="flex flex-col gap-2 sm:flex-row">
        <input
          ref={field}
          readOnly
          value={url}
          aria-label={t("link")}
          onFocus={({ target }) => target.select()}
          className="min-h-12 min-w-0 grow rounded-xl border border-edge bg-sunken px-4 text-ellipsis text-ink"
        />
        <Button onClick={copy} className="min-h-12 shrink-0">
          {result === "copied" ? <Check aria-hidden className="size-5" /> : <Copy aria-hidden className="size-5" />}
          {result === "copied" ? t("copied") : t("copy")}
        </Button>
      </div>
      <p role="status" className={result === "failed" ? "text-sm text-danger-text" : "sr-only"}>
        {result === "copied" && t("copied")}
        {result === "failed" && t("copyFailed")}
      </p>
    </div>
  );
}
