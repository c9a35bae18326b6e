import { useTranslation } from "react-i18next";
import { FailureScreen } from "./FailureScreen.tsx";

/** What is shown when a page could not be loaded or drawn (Spec §2). */
export function RouteError() {
  const { t } = useTranslation("layout");
  return <FailureScreen title={t("oops.title")} text={t("oops.text")} />;
}
