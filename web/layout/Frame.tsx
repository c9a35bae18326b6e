import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, Route, Routes } from "react-router";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { PartBoundary } from "../lib/browser/part-boundary.ts";
import { pathOf, rememberRedirect } from "../lib/session/redirect-url.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Loading } from "../ui/Loading.tsx";
import { FailureScreen } from "./FailureScreen.tsx";
import { NotFound } from "./NotFound.tsx";
import { Shell } from "./Shell.tsx";
import { SkyMessage } from "./SkyMessage.tsx";

interface FrameProps {
  /** The route's path pattern, and whether the page requires a session. */
  route: { path: string; signedIn?: true; bare?: true };
  Page: ComponentType;
  /** A value that changes with every navigation, to reset the error boundaries. */
  visit: unknown;
  /** Whether the next page is loading. */
  leaving: boolean;
}

/** Renders a page in its layout, with an error boundary around both. */
export function Frame({ route: { path, signedIn, bare }, Page, visit, leaving }: FrameProps) {
  const page = signedIn ? (
    <RequireSession>
      <Page />
    </RequireSession>
  ) : (
    <Page />
  );
  const content = (
    <Routes>
      {/* Any failure of "/" shows the not-found view (Spec §2). */}
      <Route
        path={path}
        element={
          path === "/" ? (
            <PartBoundary visit={visit} fallback={<NotFound />}>
              {page}
            </PartBoundary>
          ) : (
            page
          )
        }
      />
    </Routes>
  );
  return (
    <PartBoundary visit={visit} fallback={<RouteError />}>
      {bare ? content : <Shell leaving={leaving}>{content}</Shell>}
    </PartBoundary>
  );
}

/** Renders the message that a page could not be loaded or rendered (Spec §2). */
function RouteError() {
  const { t } = useTranslation("layout");
  return <FailureScreen title={t("oops.title")} text={t("oops.text")} />;
}

/** Renders its children for signed-in people. Others can sign in or register, and then return to this page. */
function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  return session.state === "signed in" ? children : <Fallback />;
}

function Fallback() {
  const { t } = useTranslation("layout");
  usePageTitle(t("fallback.title"));
  const remember = () => rememberRedirect(pathOf(location));
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
