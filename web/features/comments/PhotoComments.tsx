import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useOwner } from "../../data/outbox/use-outbox.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { PhotoPanel } from "../../media/PhotoPanel.tsx";
import { Discussion } from "./Discussion.tsx";
import { ReactionBar } from "./ReactionBar.tsx";
import { useReact, useReactions } from "./reactions.queries.ts";
import { useConversation } from "./use-conversation.ts";

interface PhotoCommentsProps {
  client: SupabaseClient;
  memory: { id: string };
  rights: { comment: boolean; manage: boolean };
  photo: { id: string };
  onClose: () => void;
}

/** The comments on the open photo: beside it, or below it on a phone. */
export default function PhotoComments({ client, memory, rights, photo, onClose }: PhotoCommentsProps) {
  const { t } = useTranslation("comments");
  const of = useMemo(() => ({ memoryId: memory.id, mediaId: photo.id }), [memory.id, photo.id]);
  const conversation = useConversation({ client, of, rights });
  const { me, mayComment } = conversation.commenter;
  const { reactions, waits } = useReactions(client, of, useOwner(me?.id));
  const react = useReact(client, of, me);
  return (
    <PhotoPanel title={t("title")} closeLabel={t("photo.close")} onClose={onClose}>
      {(reactions.length > 0 || mayComment) && (
        <div className="-ms-2 flex flex-wrap items-center gap-1">
          <ReactionBar reactions={reactions} myId={mayComment ? me?.id : undefined} onReact={react} />
          <p role="status" className="basis-full ps-2 text-sm text-ink-soft empty:hidden">
            {waits && t("react.waits")}
          </p>
        </div>
      )}
      <Discussion conversation={conversation} empty={t("photo.empty")} />
    </PhotoPanel>
  );
}
