import "../../i18n/namespaces/comments.ts";
import "../../i18n/namespaces/moderation.ts";
import "../../i18n/namespaces/reports.ts";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Discussion } from "./Discussion.tsx";
import { ReactionBar } from "./ReactionBar.tsx";
import { reactionsQuery, useReact, useReactionsLive } from "./reactions.queries.ts";
import { useConversation } from "./use-conversation.ts";

interface PhotoCommentsProps {
  client: SupabaseClient;
  memory: { id: string };
  rights: { comment: boolean; manage: boolean };
  photo: { id: string };
  onClose: () => void;
}

/** What people say about the open photo: beside it, or over its foot on a phone. */
export default function PhotoComments({ client, memory, rights, photo, onClose }: PhotoCommentsProps) {
  const { t } = useTranslation("comments");
  const id = useId();
  const of = useMemo(() => ({ memoryId: memory.id, mediaId: photo.id }), [memory.id, photo.id]);
  const conversation = useConversation({ client, of, rights });
  const { me, mayComment } = conversation.commenter;
  const reactions = useQuery(reactionsQuery(client, of)).data ?? [];
  useReactionsLive(client, of);
  const react = useReact(client, of, me);
  return (
    <section
      aria-labelledby={id}
      className="z-10 grid content-start gap-5 overflow-y-auto bg-raised p-5 text-ink max-lg:absolute max-lg:inset-x-0 max-lg:bottom-0 max-lg:max-h-[75dvh] max-lg:rounded-t-3xl max-lg:pb-[max(1.25rem,env(safe-area-inset-bottom))] lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:p-6"
    >
      <div className="flex items-center justify-between">
        <h2 id={id} className="font-serif text-2xl">
          {t("title")}
        </h2>
        <IconButton icon={X} label={t("photo.close")} onClick={onClose} />
      </div>
      {(reactions.length > 0 || mayComment) && (
        <div className="-ms-2 flex flex-wrap items-center gap-1">
          <ReactionBar reactions={reactions} myId={mayComment ? me?.id : undefined} onReact={react} />
        </div>
      )}
      <Discussion conversation={conversation} empty={t("photo.empty")} />
    </section>
  );
}
