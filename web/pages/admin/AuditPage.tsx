import { useTranslation } from "react-i18next";
import { AuditLog } from "../../features/admin/audit/AuditLog.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/audit: log of staff actions, for administrators. */
export default function AuditPage() {
  const { t } = useTranslation("admin");
  return (
    <Desk title={t("sections.audit")}>
      <AuditLog />
    </Desk>
  );
}
