import "../../i18n/namespaces/admin.ts";
import { useTranslation } from "react-i18next";
import { Desk } from "./Desk.tsx";

/** /admin: how Skies is doing. */
export default function OverviewPage() {
  const { t } = useTranslation("admin");
  return <Desk title={t("sections.overview")}>{null}</Desk>;
}
