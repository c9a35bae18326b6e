import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isPassphrase, normalPassphrase, PASSPHRASE_LENGTH } from "../../../../shared/passphrase.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";

interface ChoosePassphraseProps {
  isNew: boolean;
  busy: boolean;
  /** Whom the new passphrase shuts out. */
  note: string;
  onSave: (passphrase: string) => void;
  onCancel: () => void;
}

/** Chooses a passphrase, in sight: it is told to others. */
export function ChoosePassphrase({ isNew, busy, note, onSave, onCancel }: ChoosePassphraseProps) {
  const { t } = useTranslation(["sharing", "shareGate"]);
  const [text, setText] = useState("");
  const fits = isPassphrase(normalPassphrase(text));
  return (
    <form
      noValidate
      className="grid gap-4 rounded-2xl bg-sunken p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (fits) onSave(text);
      }}
    >
      <TextField
        label={t(isNew ? "shareGate:passphrase.label" : "passphrase.newLabel")}
        hint={t("passphrase.hint", PASSPHRASE_LENGTH)}
        value={text}
        onChange={({ target }) => setText(target.value)}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        maxLength={256}
      />
      <p className="text-center text-sm text-ink-soft">{note}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button type="submit" size="small" aria-busy={busy} disabled={!fits}>
          {t("passphrase.save")}
        </Button>
        <Button variant="quiet" size="small" onClick={onCancel}>
          {t("door.cancel")}
        </Button>
      </div>
    </form>
  );
}
