import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isPassphrase, normalPassphrase } from "../../../shared/passphrase.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/TextField.tsx";

interface PassphraseFieldProps {
  onComplete: (passphrase: string) => void;
  invalid: boolean;
  busy: boolean;
  /** Id of the element with the error text. */
  describedBy: string;
}

/** Renders a passphrase field. It shows plain text, because passphrases are long. */
export default function PassphraseField({ onComplete, invalid, busy, describedBy }: PassphraseFieldProps) {
  const { t } = useTranslation("shareGate");
  const [text, setText] = useState("");
  return (
    <form
      noValidate
      className="grid gap-4 text-start"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && isPassphrase(normalPassphrase(text))) onComplete(text);
      }}
    >
      <TextField
        label={t("passphrase.label")}
        value={text}
        onChange={({ target }) => setText(target.value)}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="go"
        maxLength={256}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
      />
      <Button type="submit" size="large" aria-busy={busy} disabled={busy || !isPassphrase(normalPassphrase(text))}>
        {t("passphrase.open")}
      </Button>
    </form>
  );
}
