import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Commenter, useCommenter } from "../../actions/commenter.ts";
import { useTakeBack } from "../../actions/outbox/use-take-back.ts";
import { usePictures } from "../../data/avatars.queries.ts";
import { pageOutbox } from "../../data/outbox/page-outbox.ts";
import { unsentReactions, withUnsent } from "../../data/outbox/reactions.ts";
import { useOwner, useSent, useUnsent } from "../../data/outbox/use-outbox.ts";
import type { CommentWrite, WaitingWrite } from "../../data/outbox/waiting-write.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import type { Subject } from "./comment.ts";
import { useIsDeleted } from "./comment-deletions.queries.ts";
import { commentsQuery, peopleQuery, useShowComment } from "./comments.queries.ts";
import { useFormerUnsent } from "./former-unsent.ts";
import type { MemoryPerson } from "./mention.ts";
import { countOf, reactionsOf, threadsOf, withoutDeleted } from "./threads.ts";

const NOBODY: MemoryPerson[] = [];

/** A conversation's client and the reader's permissions in the memory. */
export interface ConversationContext {
  client: SupabaseClient;
  of: Subject;
  rights: { comment: boolean; manage: boolean };
}

/** A conversation: its threads, comments being sent, and the reader. */
export function useConversation({ client, of, rights }: ConversationContext) {
  const commenter: Commenter = useCommenter(rights);
  const query = useInfiniteQuery(commentsQuery(client, of));
  const people = useQuery({ ...peopleQuery(client, of.memoryId), enabled: commenter.me !== undefined }).data ?? NOBODY;
  const isDeleted = useIsDeleted();
  const pages = query.data?.pages;
  const threads = useMemo(() => withoutDeleted(threadsOf(pages ?? []), isDeleted), [pages, isDeleted]);
  const owner = useOwner(commenter.me?.id);
  const entries = useUnsent(owner, of.memoryId);
  const reactions = useMemo(() => {
    const unsent = unsentReactions(entries, ({ comment_id }) => comment_id !== null);
    return withUnsent(reactionsOf(pages ?? []), unsent);
  }, [pages, entries]);
  const { unsent, ...outbox } = useOutbox(client, of, owner, entries);
  // Realtime may deliver a comment before the response to its request.
  const ids = useMemo(
    () => new Set(threads.flatMap(({ head, answers }) => [head.id, ...answers.map(({ id }) => id)])),
    [threads],
  );
  const underway = useMemo(() => unsent.filter(({ id }) => !ids.has(id)), [unsent, ids]);
  const authors = useMemo(
    () => threads.flatMap(({ head, answers }) => [head, ...answers].map(({ picture }) => picture)),
    [threads],
  );
  const avatars = usePictures(client, `comments-${of.memoryId}-${of.mediaId}`, authors);
  return {
    client,
    of,
    query,
    threads,
    avatars,
    count: countOf(threads),
    reactions,
    people,
    commenter,
    outbox,
    underway,
  };
}

export type ConversationState = ReturnType<typeof useConversation>;

/** Comments being sent, and the functions to send, retry and discard them. */
function useOutbox(client: SupabaseClient, of: Subject, owner: string | undefined, entries: readonly WaitingWrite[]) {
  const show = useShowComment(client);
  const takeBack = useTakeBack();
  const { memoryId, mediaId } = of;
  const unsent = useMemo(
    () => entries.filter((one): one is CommentWrite => one.kind === "comment" && one.mediaId === mediaId),
    [entries, mediaId],
  );
  useSent(memoryId, (write) => (write.kind === "comment" && write.mediaId === mediaId ? show(write) : undefined));
  useFormerUnsent(owner, memoryId);
  return {
    unsent,
    send(input: { parentId: string | null; body: string; mentions: string[] }) {
      if (owner === undefined) return;
      const [id, at] = [crypto.randomUUID(), new Date().toISOString()];
      // A refused comment stays in the conversation, with what can be done.
      void pageOutbox()
        .add({ kind: "comment", id, owner, memoryId, mediaId, at, ...input })
        .catch(() => {});
    },
    again: ({ id }: CommentWrite) => void pageOutbox().again(id),
    forget(id: string) {
      const write = unsent.find((one) => one.id === id);
      if (write) void takeBack(write);
    },
  };
}
