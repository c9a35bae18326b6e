import { Dices } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isPin } from "../../../../shared/pin.ts";
import { Button } from "../../../ui/Button.tsx";
import { PinBoxes } from "../PinBoxes.tsx";
import { isEasyPin, randomPin } from "./pin-choice.ts";

interface ChoosePinProps {
  isNew: boolean;
  busy: boolean;
  /** Whom the new PIN shuts out. */
  note: string;
  onSave: (pin: string) => void;
  onCancel: () => void;
}

/** Chooses a PIN, beginning with one by chance. The owner sees the whole of it before it holds: nobody is shut out by a slip. */
export function ChoosePin({ isNew, busy, note, onSave, onCancel }: ChoosePinProps) {
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
    <form
      className="grid min-w-0 gap-4 rounded-2xl bg-sunken p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPin(pin)) onSave(pin);
      }}
    >
      <p aria-hidden className="text-center font-semibold">
        {label}
      </p>
      <PinBoxes
        key={suggested}
        label={label}
        start={suggested}
        autoFocus
        busy={busy}
        describedBy="pin-note"
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
      <p id="pin-note" className="text-center text-sm text-ink-soft">
        {note}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button type="submit" size="small" aria-busy={busy} disabled={!isPin(pin)}>
          {t("pin.save")}
        </Button>
        <Button variant="quiet" size="small" onClick={onCancel}>
          {t("door.cancel")}
        </Button>
      </div>
    </form>
  );
}
