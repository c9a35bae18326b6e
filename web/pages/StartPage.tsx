import { Suspense } from "react";
import { VisitorHome } from "../features/home/VisitorHome.tsx";
import { FooterLinks } from "../layout/FooterLinks.tsx";
import { LanguageSwitch } from "../layout/LanguageSwitch.tsx";
import { ThemeSwitch } from "../layout/ThemeSwitch.tsx";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { withQueries } from "../lib/request/queries.ts";
import { useSession } from "../lib/session/session.ts";
import { Loading } from "../ui/Loading.tsx";

const MemberStart = lazyPart(withQueries(() => import("./start/MemberStart.tsx")));

/** `/`: the loading view while the session loads, then the view for signed-in people or for visitors (Spec §2). */
export default function StartPage() {
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
