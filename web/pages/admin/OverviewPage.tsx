import { useTranslation } from "react-i18next";
import { Overview } from "../../features/admin/overview/Overview.tsx";
import { Desk } from "./Desk.tsx";

/** /admin: key figures. */
export default function OverviewPage() {
  const { t } = useTranslation("admin");
  return (
    <Desk title={t("sections.overview")}>
      <Overview />
    </Desk>
  );
}
