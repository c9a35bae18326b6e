import { useTranslation } from "react-i18next";
import { Inbox } from "../../features/admin/inbox/Inbox.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/inbox: contact messages and reports. */
export default function InboxPage() {
  const { t } = useTranslation("adminInbox");
  return (
    <Desk title={t("title")}>
      <Inbox />
    </Desk>
  );
}
