import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Me } from "../../actions/commenter.ts";
import {
  sendReaction,
  takeBackUnsent,
  unlessWaiting,
  unsentReactions,
  withUnsent,
} from "../../data/outbox/reactions.ts";
import { useOwner, useSent, useUnsent } from "../../data/outbox/use-outbox.ts";
import type { WrittenReaction } from "../../data/outbox/waiting-write.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { changeData, refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";
import type { Kind, Reaction, Subject } from "./comment.ts";
import { commentsQuery, reactionColumnsFor, type Threads } from "./comments.queries.ts";
import {
  type Credits,
  creditChange,
  creditsIn,
  type ReactionRow,
  type Signed,
  signedReactions,
  withCredit,
} from "./signatures.ts";
import { type CommentChange, withChanges } from "./threads.ts";

/** The server's maximum number of rows. */
const ROWS = 1000;

/** Reactions with their authors. */
interface Direct {
  rows: ReactionRow[];
  credits: Credits;
}

/** The reactions to a memory or one of its photos, oldest first. */
export const reactionsQuery = (client: SupabaseClient, { memoryId, mediaId }: Subject) =>
  queryOptions({
    queryKey: queryKeys.reactions(memoryId, mediaId),
    queryFn: async ({ signal }): Promise<Direct> => {
      const rows: Signed<ReactionRow>[] = [];
      for (;;) {
        const query = client
          .from("reactions")
          .select(reactionColumnsFor(client))
          .eq("memory_id", memoryId)
          .is("comment_id", null);
        const data = await (mediaId === null ? query.is("media_id", null) : query.eq("media_id", mediaId))
          .order("created_at")
          .order("id")
          .range(rows.length, rows.length + ROWS - 1)
          .abortSignal(signal)
          .then(unwrap("Failed to load reactions"));
        rows.push(...data);
        if (data.length < ROWS) return { rows, credits: creditsIn(rows) };
      }
    },
    select: ({ rows, credits }) => signedReactions(rows, credits),
  });

/** Shows changes to reactions live. */
function useReactionsLive(client: SupabaseClient, of: Subject) {
  const cache = useQueryClient();
  const { queryKey } = reactionsQuery(client, of);
  useRowChanges(
    client,
    [
      { event: "*", table: "reactions", filter: `memory_id=eq.${of.memoryId}` },
      { event: "*", table: "reaction_credits", filter: `memory_id=eq.${of.memoryId}` },
      { event: "DELETE", table: "reactions" },
    ],
    (changes) => {
      if (!changes) return void refresh(cache, queryKey);
      changeData<Direct>(cache, queryKey, (before) => withCommentChanges(before, of, changes));
    },
  );
}

const withCommentChanges = (before: Direct, of: Subject, changes: readonly CommentChange[]): Direct =>
  changes.reduce(({ rows, credits }, { event, table, row }) => {
    if (table !== "reactions") return { rows, credits: withCredit(credits, { event, table, row }) };
    if (event === "DELETE") return { rows: rows.filter(({ id }) => id !== row.id), credits };
    const reaction = row as unknown as ReactionRow;
    const isHere =
      reaction.memory_id === of.memoryId && reaction.media_id === of.mediaId && reaction.comment_id === null;
    return { rows: isHere && !rows.some(({ id }) => id === reaction.id) ? [...rows, reaction] : rows, credits };
  }, before);

/** Adding or removing a reaction. */
interface Given {
  row: Reaction;
  taken: boolean;
}

/** The reactions to a memory or photo, with the reader's unsent ones, and whether some wait for a network. */
export function useReactions(client: SupabaseClient, of: Subject, owner: string | undefined) {
  const cache = useQueryClient();
  const { data = NONE } = useQuery(reactionsQuery(client, of));
  useReactionsLive(client, of);
  const entries = useUnsent(owner, of.memoryId);
  useSent(of.memoryId, (write, isLate) => {
    if (write.kind === "reaction" && isLate && isAbout(of, null)(write.reaction))
      return refresh(cache, reactionsQuery(client, of).queryKey);
  });
  return useMemo(() => {
    const unsent = unsentReactions(entries, isAbout(of, null));
    return { reactions: withUnsent(data, unsent), waits: unsent.some(({ state }) => state === "waiting") };
  }, [data, entries, of]);
}

const NONE: Reaction[] = [];

const isAbout =
  ({ mediaId }: Subject, commentId: string | null) =>
  (reaction: WrittenReaction) =>
    reaction.comment_id === commentId && (commentId !== null || reaction.media_id === mediaId);

/** Adds or removes the person's reaction, with an optimistic update. Without a network it waits in the outbox. */
export function useReact(client: SupabaseClient, of: Subject, me: Me | undefined, commentId: string | null = null) {
  const cache = useQueryClient();
  const owner = useOwner(me?.id);
  const entries = useUnsent(owner, of.memoryId);
  const changesOf = ({ row: { name, ...row }, taken }: Given) => [
    { event: taken ? ("DELETE" as const) : ("INSERT" as const), table: "reactions", row },
    creditChange("reaction_credits", row.id, { name }),
  ];
  const update =
    commentId === null
      ? optimisticUpdate(cache, {
          queryKey: reactionsQuery(client, of).queryKey,
          change: (before: Direct, change: Given) => withCommentChanges(before, of, changesOf(change)),
          readAgain: () => refresh(cache, reactionsQuery(client, of).queryKey, queryKeys.hearts(of.memoryId)),
        })
      : optimisticUpdate(cache, {
          queryKey: commentsQuery(client, of).queryKey,
          change: ({ pages, ...before }: Threads, change: Given) => ({
            ...before,
            pages: withChanges(pages, of, changesOf(change)),
          }),
        });
  const { mutate } = useMutation({
    networkMode: "always",
    mutationFn: ({ row, taken }: Given) => sendReaction(owner ?? "", row, taken),
    ...unlessWaiting(update),
    // Requests run in sequence, because a reaction must be stored before it is removed.
    scope: { id: `react-${of.memoryId}-${of.mediaId}-${commentId}` },
  });
  return (kind: Kind, current: Reaction | undefined) => {
    if (!me || !owner) return;
    const [waiting] = unsentReactions(entries, isAbout(of, commentId)).filter(
      ({ reaction, state }) => reaction.kind === kind && state === "waiting",
    );
    if (waiting) return void takeBackUnsent(waiting).then((change) => change && mutate(change));
    const row = current ?? {
      id: crypto.randomUUID(),
      memory_id: of.memoryId,
      media_id: commentId === null ? of.mediaId : null,
      comment_id: commentId,
      user_id: me.isGuest ? null : me.id,
      guest_id: me.isGuest ? me.id : null,
      name: me.fullName,
      kind,
      created_at: new Date().toISOString(),
    };
    mutate({ row, taken: current !== undefined });
  };
}
