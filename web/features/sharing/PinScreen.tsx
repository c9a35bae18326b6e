import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShareState } from "../../data/share-state.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { isStorageBlocked } from "../../lib/browser/storage.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { classNames } from "../../ui/class-names.ts";
import { PinBoxes } from "./PinBoxes.tsx";
import { SkyScreen } from "./SkyScreen.tsx";
import type { Secret } from "./share-session.ts";

const PassphraseField = lazyPart(() => import("./PassphraseField.tsx"));
const StorageBlocked = lazyPart(() => import("./StorageBlocked.tsx"), "nothing");

interface PinScreenProps {
  shareId: string;
  share: Extract<ShareState, { state: "pin" }>;
  checking: boolean;
  onSecret: (secret: Secret) => void;
}

/** Renders the share gate, which asks for the link's PIN or passphrase. */
export function PinScreen({ shareId, share, checking, onSecret }: PinScreenProps) {
  const { t } = useTranslation("shareGate");
  const [blocked] = useState(isStorageBlocked);
  const isBlocked = useHydrated() && blocked;
  const wrong = share.reason === "wrong" && !checking;
  const texts = share.asks === "passphrase" ? "openPassphrase" : "open";
  const text =
    share.reason === "closed" ? t(`${texts}.closed`) : share.reason === "waited" ? t("open.again") : t(`${texts}.text`);
  return (
    <SkyScreen>
      <div className="grid gap-2">
        <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">{t("open.title")}</h1>
        <p role={share.reason === "closed" ? "alert" : undefined} className="text-ink-soft">
          {text}
        </p>
      </div>
      {share.asks === "passphrase" ? (
        <PassphraseField
          invalid={wrong}
          busy={checking}
          describedBy="pin-problem"
          onComplete={(passphrase) => onSecret({ passphrase })}
        />
      ) : (
        <PinBoxes
          label={t("pin.label")}
          autoFocus
          invalid={wrong}
          busy={checking}
          describedBy="pin-problem"
          shareId={shareId}
          onComplete={(pin) => onSecret({ pin })}
        />
      )}
      <p
        id="pin-problem"
        role="alert"
        className={classNames("text-danger-text", share.asks === "passphrase" ? "min-h-[1.6em]" : "min-h-[3.2em]")}
      >
        {wrong && (
          <>
            <strong>{t(`${texts}.wrong`)}</strong>{" "}
            {share.triesLeft > 0 && t("open.triesLeft", { count: share.triesLeft })}
          </>
        )}
        {checking && <span className="text-ink-soft">{t(`${texts}.checking`)}</span>}
      </p>
      <div className="grid gap-2 text-sm text-ink-soft">
        <p>{t(`${texts}.help`)}</p>
        {/* The boxes keep the focus while its file loads. */}
        <Suspense>{isBlocked ? <StorageBlocked /> : <p>{t(`${texts}.stays`)}</p>}</Suspense>
      </div>
    </SkyScreen>
  );
}
