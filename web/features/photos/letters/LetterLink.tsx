import { Copy, Share2 } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useCopy } from "../../../lib/browser/use-copy.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { LetterMail } from "./LetterMail.tsx";

interface LetterLinkProps {
  letterKey: string;
  recipient: string;
  note: string;
  /** The memory's name. */
  memory: string;
}

/** The link of a person who is asked: to copy, to send by an app of the device, or by an email. */
export function LetterLink({ letterKey, recipient, note, memory }: LetterLinkProps) {
  const { t } = useTranslation("questions");
  const address = `${location.origin}${paths.answer(letterKey)}`;
  const field = useRef<HTMLInputElement>(null);
  const { result, copy } = useCopy(address, field);
  const share = () =>
    // Closing the system's sheet rejects.
    void navigator.share({ text: t("link.message", { name: recipient }), url: address }).catch(() => {});
  return (
    <div className="grid gap-5">
      <p role="status">{t("link.ready", { name: recipient })}</p>
      <TextField ref={field} label={t("link.label", { name: recipient })} readOnly value={address} />
      <div className="flex flex-wrap gap-3">
        <Button icon={Copy} onClick={() => void copy()}>
          <span aria-live="polite">{result === "copied" ? t("link.copied") : t("link.copy")}</span>
        </Button>
        {"share" in navigator && (
          <Button icon={Share2} variant="quiet" onClick={share}>
            {t("link.share")}
          </Button>
        )}
      </div>
      <LetterMail address={address} recipient={recipient} note={note} memory={memory} />
    </div>
  );
}
