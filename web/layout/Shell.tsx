import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useConsent } from "../lib/browser/consent.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { browserOnline } from "../lib/browser/online.ts";
import { closePanel, openPanel, showPanel } from "../lib/browser/side-panel.ts";
import { useStore } from "../lib/browser/store.ts";
import { useHydrated } from "../lib/browser/use-hydrated.ts";
import { offline } from "../lib/offline/offline-state.ts";
import { withQueries } from "../lib/request/queries.ts";
import { useReconnecting } from "../lib/request/reconnecting.ts";
import { useSession } from "../lib/session/session.ts";
import { wantedDownload } from "../media/downloads/download-store.ts";
import { paths } from "../paths.ts";
import { CornerButton } from "../ui/CornerButton.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Toaster } from "../ui/toasts.tsx";
import { FooterLinks } from "./FooterLinks.tsx";
import { asksConsent, showsFooter, showsHeader } from "./frame-visibility.ts";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

// Loaded lazily, because a visitor's first page has no header.
const Header = lazyPart(async () => ({ default: (await import("./Header.tsx")).Header }));

const BackgroundNotices = lazyPart(
  withQueries(async () => ({ default: (await import("./BackgroundNotices.tsx")).BackgroundNotices })),
  "nothing",
);

const DownloadWindow = lazyPart(() => import("../media/downloads/DownloadWindow.tsx"), "over the page");

const ConsentBanner = lazyPart(() => import("../features/consent/ConsentBanner.tsx"), "nothing");

/** Renders the layout of every page: skip link, header, content, footer. `leaving`: the next page is loading. */
export function Shell({ leaving, children }: { leaving: boolean; children: ReactNode }) {
  const { t } = useTranslation("layout");
  const { pathname } = useLocation();
  const session = useSession();
  const slow = useSlow(leaving);
  const main = useFocusOnNewPage(pathname);
  // While the session loads, it is most likely valid, so the header's space is reserved already.
  const signedIn = session.state !== "signed out";
  // Without a network a visitor's header is not there.
  const isOffline = useStore(offline);
  const header = (signedIn || !isOffline) && showsHeader(pathname, signedIn);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-full bg-deep px-5 py-3 font-semibold text-on-deep no-underline focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t("skip")}
      </a>
      {header && (
        <Suspense fallback={<HeaderSpace />}>{session.state === "loading" ? <HeaderSpace /> : <Header />}</Suspense>
      )}
      {/* At least as high as the window, so that the footer moves outside the viewport while the content loads. */}
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className={header ? "min-h-[calc(100dvh-var(--header-height))] grow" : "min-h-dvh grow"}
      >
        {slow ? <Loading full={!header} /> : children}
      </main>
      {session.state !== "loading" && showsFooter(pathname) && <Footer />}
      {asksConsent(pathname) && <AskForConsent />}
      <ConnectionStatus />
      <Toaster now={session.state === "signed in"} />
      {session.state === "signed in" && (
        <Suspense>
          <BackgroundNotices />
        </Suspense>
      )}
      <WantedDownload />
      <Help button={header || showsFooter(pathname)} />
    </div>
  );
}

/** Renders the download dialog, which any page can request. */
function WantedDownload() {
  const request = useStore(wantedDownload);
  return request ? (
    <Suspense>
      <DownloadWindow request={request} />
    </Suspense>
  ) : null;
}

/** Renders the consent banner until the question is answered (Spec §2). */
function AskForConsent() {
  const unanswered = useConsent() === null;
  return useHydrated() && unanswered ? (
    <Suspense>
      <ConsentBanner />
    </Suspense>
  ) : null;
}

/** Renders a placeholder for the header while it loads. */
const HeaderSpace = () => <header className="h-(--header-height) border-b border-line" />;

const SLOW_MS = 200;

/** Returns whether the next page has loaded for `SLOW_MS`. A loading view for a shorter time would only flicker. */
function useSlow(leaving: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [leaving]);
  return slow;
}

/** Moves the focus to each new page, so that keyboard and screen reader users start at its beginning. */
function useFocusOnNewPage(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    // A page may have focused an element already, e.g. its first field.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/**
 * Announces a network failure or unreachable server. The region always exists, so that screen readers announce changes.
 */
function ConnectionStatus() {
  const { t } = useTranslation("layout");
  const isOffline = useStore(offline);
  const online = useStore(browserOnline) && !isOffline;
  const reconnecting = useReconnecting();
  return (
    <div
      role="status"
      // An open dialog hides elements without it from screen readers.
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-[calc(var(--header-height)+0.5rem)] z-40 flex justify-center"
    >
      {(!online || reconnecting) && (
        <span className="rounded-full border border-line bg-raised px-4 py-2 text-base text-ink shadow-lifted">
          {t(online ? "reconnecting" : "offline")}
        </span>
      )}
    </div>
  );
}

function Footer() {
  const { t } = useTranslation("layout");
  return (
    // Invisible while the browser still reads it, like the header.
    <footer className="last:*:invisible border-t border-line bg-sunken print:hidden">
      <div className="mx-auto grid max-w-7xl gap-5 px-4 py-8 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5">
          <p className="font-serif text-lg">Skies · {t("tagline")}</p>
          <div className="flex flex-wrap gap-3">
            <LanguageSwitch />
            <ThemeSwitch />
          </div>
        </div>
        <FooterLinks />
      </div>
    </footer>
  );
}

const HelpPanel = lazyPart(
  withQueries(() => import("./HelpPanel.tsx")),
  "over the page",
);

/** Renders the help panel and, on pages with `button`, the button in the corner that opens it. */
function Help({ button }: { button: boolean }) {
  const { t } = useTranslation("layout");
  const { pathname } = useLocation();
  const open = useStore(openPanel) === "help";
  // Closes the panel when another page opens, which it would cover.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a path is what matters
  useEffect(
    () => () => {
      if (openPanel.get() === "help") closePanel();
    },
    [pathname],
  );
  if (pathname === paths.help()) return null;
  return (
    <>
      {button && (
        <aside aria-label={t("help")}>
          <CornerButton label={t("help")} onClick={() => showPanel("help")}>
            <span aria-hidden className="font-serif text-2xl font-medium">
              ?
            </span>
          </CornerButton>
        </aside>
      )}
      {open && (
        <Suspense>
          <HelpPanel />
        </Suspense>
      )}
    </>
  );
}
