import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { InboxThread } from "../../features/admin/inbox/InboxThread.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/inbox/:id: one message or report. */
export default function InboxItemPage() {
  const { t } = useTranslation("adminInbox");
  const { id = "" } = useParams();
  return (
    <Desk title={t("one")}>
      <InboxThread key={id} id={id} />
    </Desk>
  );
}
