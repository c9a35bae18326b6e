import { useTranslation } from "react-i18next";
import { storeConsent } from "../../lib/browser/consent.ts";
import { Button } from "../../ui/Button.tsx";
import { reserveRoomBelow } from "../../ui/room-below.ts";

/** Spec §2: shown until answered. The page reserves space for it at its end, and both answers look the same. */
export default function ConsentBanner() {
  const { t } = useTranslation("consent");
  return (
    <aside
      ref={reserveRoomBelow}
      aria-labelledby="consent"
      className="sticky bottom-0 z-20 print:hidden border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] text-ink shadow-lifted motion-safe:animate-fade-in"
    >
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-3 px-4 py-3 sm:px-6 sm:py-4">
        <p id="consent" className="max-w-3xl flex-1 basis-80 text-sm">
          {t("text")}
        </p>
        <div className="flex grow gap-2 sm:grow-0 sm:gap-3">
          <Button size="small" variant="quiet" className="grow" onClick={() => storeConsent("declined")}>
            {t("decline")}
          </Button>
          <Button size="small" variant="quiet" className="grow" onClick={() => storeConsent("accepted")}>
            {t("accept")}
          </Button>
        </div>
      </div>
    </aside>
  );
}
