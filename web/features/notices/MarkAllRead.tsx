import { useQuery } from "@tanstack/react-query";
import { CheckCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toasts.tsx";
import { unreadQuery, useMarkRead } from "./notices.queries.ts";

/** Renders a button that marks all notices as read. It keeps its space if there are no unread notices. */
export function MarkAllRead({ userId }: { userId: string }) {
  const { t } = useTranslation("notices");
  const unread = useQuery(unreadQuery(supabase, userId));
  const markRead = useMarkRead(supabase, userId);
  return (
    <Button
      icon={CheckCheck}
      variant="plain"
      size="small"
      disabled={!unread.data}
      aria-busy={markRead.isPending}
      onClick={() => markRead.mutate(undefined, { onError: () => toast({ title: t("notMarked"), tone: "problem" }) })}
    >
      {t("markAll")}
    </Button>
  );
}
