import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import type { Subject } from "./comment.ts";
import { useIsDeleted } from "./comment-deletions.queries.ts";
import { commentsQuery, peopleQuery } from "./comments.queries.ts";
import type { MemoryPerson } from "./mention.ts";
import { countOf, reactionsOf, threadsOf, withoutDeleted } from "./threads.ts";
import { type Commenter, useCommenter } from "./use-commenter.ts";
import { useOutbox } from "./use-outbox.ts";

const NOBODY: MemoryPerson[] = [];

/** Where a conversation is held: as whom it is read, and what they may do in the memory. */
export interface ConversationContext {
  client: SupabaseClient;
  of: Subject;
  rights: { comment: boolean; manage: boolean };
}

/** A conversation as it stands: its threads, what is on its way, and who looks at it. */
export function useConversation({ client, of, rights }: ConversationContext) {
  const commenter: Commenter = useCommenter(rights);
  const query = useInfiniteQuery(commentsQuery(client, of));
  const people = useQuery({ ...peopleQuery(client, of.memoryId), enabled: commenter.me !== undefined }).data ?? NOBODY;
  const isDeleted = useIsDeleted();
  const pages = query.data?.pages;
  const threads = useMemo(() => withoutDeleted(threadsOf(pages ?? []), isDeleted), [pages, isDeleted]);
  const reactions = useMemo(() => reactionsOf(pages ?? []), [pages]);
  const { unsent, ...outbox } = useOutbox(client, of, commenter.me?.id);
  // What was told of before its answer came is there already.
  const known = useMemo(
    () => new Set(threads.flatMap(({ head, answers }) => [head.id, ...answers.map(({ id }) => id)])),
    [threads],
  );
  const underway = useMemo(() => unsent.filter(({ id }) => !known.has(id)), [unsent, known]);
  return { client, of, query, threads, count: countOf(threads), reactions, people, commenter, outbox, underway };
}

export type ConversationState = ReturnType<typeof useConversation>;
