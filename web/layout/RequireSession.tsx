import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { rememberRedirect } from "../lib/session/redirect-url.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Loading } from "../ui/Loading.tsx";
import { SkyMessage } from "./SkyMessage.tsx";

/** Pages for signed-in people; anybody else is offered the ways in, and comes back here afterwards. */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  return session.state === "signed in" ? children : <Fallback />;
}

function Fallback() {
  const { t } = useTranslation("layout");
  const { pathname, search } = useLocation();
  usePageTitle(t("fallback.title"));
  const remember = () => rememberRedirect(pathname + search);
  return (
    <SkyMessage title={t("fallback.title")} text={t("fallback.text")}>
      <Button asChild>
        <Link to={paths.register()} onClick={remember}>
          {t("fallback.getStarted")}
        </Link>
      </Button>
      <Button asChild variant="quiet">
        <Link to={paths.login()} onClick={remember}>
          {t("fallback.signIn")}
        </Link>
      </Button>
    </SkyMessage>
  );
}
