import { useTranslation } from "react-i18next";
import { System } from "../../features/admin/system/System.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/system: the state of the installation, for administrators. */
export default function SystemPage() {
  const { t } = useTranslation("adminSystem");
  return (
    <Desk title={t("title")}>
      <System />
    </Desk>
  );
}
