import { MonitorSmartphone } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pageOutbox } from "../../data/outbox/page-outbox.ts";
import { isAtLink } from "../../data/outbox/waiting-write.ts";
import { nameManifest } from "../../lib/browser/home-screen.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { isStorageBlocked } from "../../lib/browser/storage.ts";
import { useStore } from "../../lib/browser/store.ts";
import { forgetInstallOffer } from "../../lib/browser/use-install.ts";
import { useSession } from "../../lib/session/session.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { InstallLine } from "../../ui/InstallLine.tsx";
import { toast } from "../../ui/toasts.tsx";
import StorageBlocked from "./StorageBlocked.tsx";
import { forgetDevice } from "./share-requests.ts";

const OfflineSpace = lazyPart(() => import("../../media/offline/OfflineSpace.tsx"), "nothing");

interface SharedPageEndProps {
  shareId: string;
  /** The link's token. */
  token: () => string;
  /** Called after this device has forgotten the link. */
  onForgotten: () => void;
}

/** Renders the end of an opened page: that this device stays admitted, and for visitors, an offer of a page of their own. */
export default function SharedPageEnd(props: SharedPageEndProps) {
  const { t, i18n } = useTranslation(["shareGate", "install", "offline"]);
  const language = i18n.resolvedLanguage ?? "en";
  useEffect(() => {
    nameManifest(language, props.shareId);
    return () => nameManifest(language);
  }, [language, props.shareId]);
  return (
    <div className="mx-auto mt-4 mb-10 grid max-w-xl justify-items-center gap-6 px-4 text-center empty:hidden print:hidden">
      <InstallLine page={props.shareId} text={t("install:page")} laterDay />
      <ForgetDevice {...props} />
      {globalThis.caches && (
        <details className="w-full max-w-md text-sm text-ink-soft">
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-center">
            {t("offline:linkText")}
          </summary>
          <Suspense>
            <OfflineSpace />
          </Suspense>
        </details>
      )}
      {useSession().state === "signed out" && (
        <Link to={paths.start()} className="inline-flex min-h-11 items-center text-deep">
          {t("startOwn")}
        </Link>
      )}
    </div>
  );
}

/** Tells that this device stays admitted, with a button to end that. */
function ForgetDevice({ shareId, token, onForgotten }: SharedPageEndProps) {
  const { t } = useTranslation(["shareGate", "shareEnd", "outbox"]);
  const unsent = useStore(pageOutbox().entries).filter(({ owner }) => isAtLink(owner, shareId)).length;
  const [isOpen, setIsOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  if (!isStaying(token())) return null;
  if (isStorageBlocked())
    return (
      <div className="text-sm text-balance text-ink-soft">
        <StorageBlocked />
      </div>
    );

  async function forget() {
    setBusy(true);
    try {
      await forgetDevice(shareId, token());
      await pageOutbox().forget((owner) => isAtLink(owner, shareId));
      forgetInstallOffer(shareId);
      toast({ title: t("device.forgotten"), description: t("shareEnd:deviceForgottenText") });
      onForgotten();
    } catch {
      setFailed(true);
      setBusy(false);
    }
  }

  return (
    <section className="grid justify-items-center gap-3 text-sm text-ink-soft">
      <p className="text-balance">{t("shareEnd:deviceStays")}</p>
      <Button variant="quiet" size="small" icon={MonitorSmartphone} onClick={() => setIsOpen(true)}>
        {t("device.forget")}
      </Button>
      <ConfirmDialog
        title={t("device.forget")}
        description={[
          t("shareEnd:deviceForgetText"),
          ...(unsent > 0 ? [t("outbox:forgetText", { count: unsent })] : []),
        ].join(" ")}
        open={isOpen}
        onOpenChange={(open) => {
          setIsOpen(open);
          setFailed(false);
        }}
        confirm={t("device.confirm")}
        cancel={t("device.cancel")}
        busy={busy}
        failure={failed && t("shareEnd:deviceFailed")}
        onConfirm={() => void forget()}
      />
    </section>
  );
}

/** Whether the token's link stays open on this device without the PIN. */
const isStaying = (token: string): boolean => {
  const { share } = claimsIn(token);
  return typeof (share as { device?: unknown } | undefined)?.device === "string";
};
