import { Dices } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { isPassphrase, normalPassphrase, PASSPHRASE_LENGTH } from "../../../../shared/passphrase.ts";
import { isPin } from "../../../../shared/pin.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { PinBoxes } from "../PinBoxes.tsx";
import { isEasyPin, randomPin } from "./pin-choice.ts";

interface ChooseSecretProps {
  kind: "pin" | "passphrase";
  /** Whether the link has no secret yet, or a secret of the other kind. */
  isNew: boolean;
  busy: boolean;
  /** Text about the people who lose access with the new secret. */
  note: string;
  onSave: (secret: { pin: string } | { passphrase: string }) => void;
  onCancel: () => void;
}

/** Renders the form for a link's PIN or passphrase. It shows plain text, because the person will share the secret. */
export function ChooseSecret({ kind, ...props }: ChooseSecretProps) {
  return kind === "pin" ? <ChoosePin {...props} /> : <ChoosePassphrase {...props} />;
}

function ChoosePassphrase({ isNew, onSave, ...form }: Omit<ChooseSecretProps, "kind">) {
  const { t } = useTranslation(["sharing", "shareGate"]);
  const [text, setText] = useState("");
  const save = isPassphrase(normalPassphrase(text)) && (() => onSave({ passphrase: text }));
  return (
    <SecretForm {...form} submit={t("passphrase.save")} save={save}>
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
    </SecretForm>
  );
}

/** Renders the PIN form with a random initial PIN. The PIN is visible, so that a typing mistake excludes nobody. */
function ChoosePin({ isNew, onSave, ...form }: Omit<ChooseSecretProps, "kind">) {
  const { t } = useTranslation(["sharing", "shareGate"]);
  const [suggested, setSuggested] = useState(() => randomPin());
  const [pin, setPin] = useState(suggested);
  const label = t(isNew ? "shareGate:pin.label" : "pin.newLabel");
  const suggest = () => {
    const another = randomPin();
    setSuggested(another);
    setPin(another);
  };
  return (
    <SecretForm {...form} submit={t("pin.save")} save={isPin(pin) && (() => onSave({ pin }))}>
      <p aria-hidden className="text-center font-semibold">
        {label}
      </p>
      <PinBoxes
        key={suggested}
        label={label}
        start={suggested}
        autoFocus
        busy={form.busy}
        describedBy="secret-note"
        onChange={setPin}
        onComplete={setPin}
      />
      <div className="grid justify-items-center">
        <p className="text-center text-sm text-ink-soft">{t(pin === suggested ? "pin.suggested" : "pin.own")}</p>
        <Button icon={Dices} variant="plain" size="small" onClick={suggest}>
          {t("pin.another")}
        </Button>
      </div>
      {isPin(pin) && isEasyPin(pin) && (
        <p role="status" className="rounded-xl bg-amber-wash px-4 py-3 text-sm">
          {t("pin.easy")}
        </p>
      )}
    </SecretForm>
  );
}

interface SecretFormProps extends Pick<ChooseSecretProps, "busy" | "note" | "onCancel"> {
  submit: string;
  /** Saves the secret; false while the input is invalid. */
  save: false | (() => void);
  children: ReactNode;
}

function SecretForm({ submit, save, busy, note, onCancel, children }: SecretFormProps) {
  const { t } = useTranslation("sharing");
  return (
    <form
      noValidate
      className="grid min-w-0 gap-4 rounded-2xl bg-sunken p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (save) save();
      }}
    >
      {children}
      <p id="secret-note" className="text-center text-sm text-ink-soft">
        {note}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button type="submit" size="small" aria-busy={busy} disabled={!save}>
          {submit}
        </Button>
        <Button variant="quiet" size="small" onClick={onCancel}>
          {t("access.cancel")}
        </Button>
      </div>
    </form>
  );
}
