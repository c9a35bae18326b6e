import { useTranslation } from "react-i18next";
import { PinBoxes } from "./PinBoxes.tsx";
import { SkyScreen } from "./SkyScreen.tsx";
import type { ShareState } from "./share-state.ts";

interface PinScreenProps {
  share: Extract<ShareState, { state: "pin" }>;
  checking: boolean;
  onPin: (pin: string) => void;
  onTyping: () => void;
}

/** Asks for the PIN of a shared memory; nothing else is asked for. */
export function PinScreen({ share, checking, onPin, onTyping }: PinScreenProps) {
  const { t } = useTranslation("sharing");
  const wrong = share.reason === "wrong" && !checking;
  const text =
    share.reason === "changed" ? t("open.changed") : share.reason === "waited" ? t("open.again") : t("open.text");
  return (
    <SkyScreen>
      <div className="grid gap-2">
        <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">{t("open.title")}</h1>
        <p className="text-ink-soft">{text}</p>
      </div>
      <PinBoxes
        label={t("pin.label")}
        autoFocus
        invalid={wrong}
        busy={checking}
        describedBy="pin-problem"
        onChange={onTyping}
        onComplete={onPin}
      />
      <p id="pin-problem" role="alert" className="min-h-[3.2em] text-danger-text">
        {wrong && (
          <>
            <strong>{t("open.wrong")}</strong> {share.triesLeft > 0 && t("open.triesLeft", { count: share.triesLeft })}
          </>
        )}
        {checking && <span className="text-ink-soft">{t("open.checking")}</span>}
      </p>
      <p className="text-sm text-ink-soft">{t("open.help")}</p>
    </SkyScreen>
  );
}
