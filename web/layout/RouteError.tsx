import { useTranslation } from "react-i18next";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { FailureScreen } from "./FailureScreen.tsx";
import { NotFound } from "./NotFound.tsx";

/** What is shown when a page could not be loaded or drawn (Spec §2). */
export function RouteError() {
  const { t } = useTranslation("layout");
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  return <FailureScreen title={t("oops.title")} text={t("oops.text")} />;
}
