import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { PinScreen } from "../features/sharing/PinScreen.tsx";
import { SkyScreen } from "../features/sharing/SkyScreen.tsx";
import { useShare } from "../features/sharing/use-share.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { applyWebFonts } from "../lib/browser/web-fonts.ts";
import { withQueries } from "../lib/request/queries.ts";
import { Button } from "../ui/Button.tsx";
import { Loading } from "../ui/Loading.tsx";

const SharedContent = lazyPart(withQueries(() => import("./memory/SharedContent.tsx")));

const FONTS_AFTER_MS = 2000;

// Loaded lazily because few visitors are refused.
const EndedScreen = lazyPart(() => import("../features/sharing/EndedScreen.tsx"));
const LockedScreen = lazyPart(() => import("../features/sharing/LockedScreen.tsx"));

/** `/shared/{shareId}`: the share gate of a memory or album and, after it has opened, the content. */
export default function SharedPage() {
  const { shareId = "", memoryId } = useParams();
  return (
    <Suspense fallback={<Loading full />}>
      <ShareGate key={shareId} shareId={shareId} memoryOfAlbum={memoryId} />
    </Suspense>
  );
}

function ShareGate({ shareId, memoryOfAlbum }: { shareId: string; memoryOfAlbum: string | undefined }) {
  const { t } = useTranslation("shareGate");
  const { share, checking, open, check, renew, become, token, again, waited, forgotten, declined } = useShare(
    shareId,
    SharedContent.load,
  );
  usePageTitle(t("open.page"));

  // Scrolls to the top, because the memory may have been scrolled when its link closed.
  const isOpen = share.state === "open";
  useEffect(() => {
    if (!isOpen) window.scrollTo(0, 0);
  }, [isOpen]);

  // Preloads the memory's code while the PIN is typed. An earlier preload would delay the share gate.
  const asks = share.state === "pin";
  useEffect(() => {
    if (asks) void SharedContent.load();
  }, [asks]);

  // The share gate uses system fonts. Web fonts load later, so that they do not delay the opened memory.
  useEffect(() => {
    if (asks) return;
    const timer = setTimeout(applyWebFonts, FONTS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [asks]);

  // The same view as in the served HTML, so that nothing flickers while the app starts.
  if (share.state === "opening") return <Loading full />;
  if (share.state === "pin") return <PinScreen shareId={shareId} share={share} checking={checking} onSecret={open} />;
  if (share.state === "locked") return <LockedScreen asks={share.asks} until={share.until} onOver={waited} />;
  if (share.state === "ended") return <EndedScreen shareId={shareId} reason={share.reason} again={again} />;
  if (share.state === "unreachable") {
    return (
      <SkyScreen>
        <div role="alert" className="grid gap-2">
          <h1 className="font-serif text-[1.75rem] leading-tight">{t("open.offlineTitle")}</h1>
          <p className="text-ink-soft">{t("open.offlineText")}</p>
        </div>
        <Button size="large" onClick={again}>
          {t("open.retry")}
        </Button>
      </SkyScreen>
    );
  }
  return (
    <SharedContent
      shareId={shareId}
      memoryOfAlbum={memoryOfAlbum}
      token={token}
      renew={renew}
      session={share.session}
      onRefused={check}
      onSession={become}
      onForgotten={forgotten}
      onDeclined={declined}
    />
  );
}
