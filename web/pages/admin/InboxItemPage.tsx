import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { InboxThread } from "../../features/admin/inbox/InboxThread.tsx";
import { threadQuery } from "../../features/admin/inbox/inbox.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Desk } from "./Desk.tsx";

/** /admin/inbox/:id: one message or report. */
export default function InboxItemPage() {
  const { t } = useTranslation("adminInbox");
  const { id = "" } = useParams();
  const { data: item } = useQuery(threadQuery(supabase, id));
  return (
    <Desk title={item ? t(`kinds.${item.kind}`) : t("one")}>
      <InboxThread key={id} id={id} />
    </Desk>
  );
}
