import "../../i18n/namespaces/comments.ts";
import "../../i18n/namespaces/moderation.ts";
import "../../i18n/namespaces/reports.ts";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Discussion } from "./Discussion.tsx";
import { useConversation } from "./use-conversation.ts";

interface ConversationProps {
  client: SupabaseClient;
  memory: { id: string; kind: "tribute" | "event" };
  rights: { comment: boolean; manage: boolean };
}

/** What people say about a memory, on its page. */
export default function Conversation({ client, memory, rights }: ConversationProps) {
  const { t, i18n } = useTranslation("comments");
  const of = useMemo(() => ({ memoryId: memory.id, mediaId: null }), [memory.id]);
  const conversation = useConversation({ client, of, rights });
  const { count, query } = conversation;
  const number = new Intl.NumberFormat(localeOf(i18n.language)).format(count);
  return (
    <section aria-labelledby="conversation-title" className="grid grid-cols-[minmax(0,1fr)] gap-5 print:hidden">
      <h2 id="conversation-title" className="font-serif text-2xl sm:text-3xl">
        {t("title")}
        {count > 0 && (
          <span className="ms-3 font-sans text-base text-ink-soft tabular-nums">
            {query.hasNextPage ? t("read.atLeast", { number }) : number}
          </span>
        )}
      </h2>
      <Discussion
        conversation={conversation}
        empty={memory.kind === "tribute" ? t("read.empty") : t("read.emptyEvent")}
      />
    </section>
  );
}
