import { Link } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCopy } from "../../../lib/browser/use-copy.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";

/** Shows the link with which a guest changes the reply on another device. */
export function OwnLink({ address }: { address: () => string | undefined }) {
  const { t } = useTranslation("dayReplies");
  const [link, setLink] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const { result, copy } = useCopy(link ?? "", field);
  if (link === undefined) {
    return (
      <Button icon={Link} variant="plain" onClick={() => setLink(address())}>
        {t("own.linkShow")}
      </Button>
    );
  }
  return (
    <div className="grid w-full max-w-prose gap-3 rounded-2xl bg-wash p-4">
      <p>{t("own.linkText")}</p>
      <TextField ref={field} label={t("own.link")} readOnly value={link} />
      <Button variant="quiet" className="justify-self-start" onClick={() => void copy()}>
        <span aria-live="polite">{result === "copied" ? t("own.linkCopied") : t("own.linkCopy")}</span>
      </Button>
    </div>
  );
}
