import { lazy, Suspense } from "react";
import { FooterLinks } from "../layout/FooterLinks.tsx";
import { LanguageSwitch } from "../layout/LanguageSwitch.tsx";
import { ThemeSwitch } from "../layout/ThemeSwitch.tsx";
import { useSession } from "../lib/session/session.ts";
import { hasStoredSession } from "../lib/session/stored-session.ts";
import { paths } from "../paths.ts";
import { Loading } from "../ui/Loading.tsx";

const loadVisitorHome = () => import("../features/home/VisitorHome.tsx");
const VisitorHome = lazy(() => loadVisitorHome().then(({ VisitorHome }) => ({ default: VisitorHome })));
const MemberStart = lazy(() => import("./start/MemberStart.tsx"));

// A visitor's first page is on its way before React asks for it.
if (globalThis.location?.pathname === paths.start() && !hasStoredSession()) void loadVisitorHome().catch(() => {});

/** "/": the loading view while the session loads, then the signed-in view or the visitor's (Spec §2). */
export function StartPage() {
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  return (
    <Suspense fallback={<Loading full />}>
      {session.state === "signed in" ? (
        <MemberStart />
      ) : (
        <VisitorHome
          switches={
            <>
              <LanguageSwitch />
              <ThemeSwitch />
              <FooterLinks />
            </>
          }
        />
      )}
    </Suspense>
  );
}
