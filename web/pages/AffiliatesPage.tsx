import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Invitation } from "../features/affiliates/Invitation.tsx";
import { VisitorBar } from "../layout/VisitorBar.tsx";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { rememberRedirect } from "../lib/session/redirect-url.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Loading } from "../ui/Loading.tsx";

// Loaded lazily because it imports the data client, which visitors do not need.
const AffiliateHome = lazyPart(() => import("../features/affiliates/AffiliateHome.tsx"));

/** /affiliates: describes the programme to visitors and shows members of it their results. */
export default function AffiliatesPage() {
  const { t } = useTranslation("affiliates");
  const session = useSession();
  usePageTitle(t("title"));
  if (session.state === "loading") return <Loading full />;
  if (session.state === "signed out") {
    return (
      <Invitation bar={<VisitorBar />}>
        <VisitorWays />
      </Invitation>
    );
  }
  return (
    <Suspense fallback={<Loading full />}>
      <AffiliateHome user={session.user} />
    </Suspense>
  );
}

/** Renders links to sign in and register. Both return to this page. */
function VisitorWays() {
  const { t } = useTranslation("affiliates");
  const remember = () => rememberRedirect(paths.affiliates());
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button asChild size="large" variant="sky">
          <Link to={paths.register()} onClick={remember}>
            {t("hero.start")}
          </Link>
        </Button>
        <Button asChild size="large" variant="quiet">
          <Link to={paths.login()} onClick={remember}>
            {t("hero.signIn")}
          </Link>
        </Button>
      </div>
      <p>{t("hero.free")}</p>
    </>
  );
}
