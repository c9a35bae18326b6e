import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { CommentWrite } from "../../data/outbox/waiting-write.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { saveOver } from "../../data/save-over.ts";
import { withAccountIds } from "../../lib/request/account-ids.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { changeData, refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";
import type { Comment, Subject } from "./comment.ts";
import type { MemoryPerson } from "./mention.ts";
import { CREDITS, creditChange, creditsIn } from "./signatures.ts";
import { type Cursor, type Page, withChanges } from "./threads.ts";

const COLUMNS =
  `id,memory_id,media_id,parent_id,guest_id,body,moderation,created_at,edited_at,deleted_at,revision,${CREDITS.comments}` as const;
const columnsFor = (client: SupabaseClient) => withAccountIds(client, COLUMNS, "user_id", "mentions");

const REACTION_COLUMNS = `id,memory_id,media_id,comment_id,guest_id,kind,created_at,${CREDITS.reactions}` as const;
/** The columns of reactions that this client may read. */
export const reactionColumnsFor = (client: SupabaseClient) => withAccountIds(client, REACTION_COLUMNS, "user_id");

const THREADS = 50;
const ROWS = 1000;
/** The maximum number of ids in one URL. */
const IDS = 100;
/** The polling interval in milliseconds. Polling is needed, because realtime does not report hidden rows. */
const AGAIN_MS = 60_000;

const keyOf = ({ memoryId, mediaId }: Subject) => queryKeys.comments(memoryId, mediaId);

/** A conversation's threads: the newest 50, and 50 older ones per further page. */
export const commentsQuery = (client: SupabaseClient, of: Subject) =>
  infiniteQueryOptions({
    queryKey: keyOf(of),
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const heads = await readHeads(client, of, pageParam, signal);
      const answers = await inSlices(heads, (ids, from) =>
        client
          .from("comments")
          .select(columnsFor(client))
          .in("parent_id", ids)
          .order("created_at")
          .order("id")
          .range(from, from + ROWS - 1)
          .abortSignal(signal),
      );
      const comments = [...heads, ...answers];
      const reactions = await inSlices(comments, (ids, from) =>
        client
          .from("reactions")
          .select(reactionColumnsFor(client))
          .in("comment_id", ids)
          .order("created_at")
          .order("id")
          .range(from, from + ROWS - 1)
          .abortSignal(signal),
      );
      const credits = creditsIn(comments, reactions);
      return { comments, reactions, credits, next: heads.length === THREADS ? heads.at(-1) : undefined };
    },
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: AGAIN_MS,
  });

async function readHeads(
  client: SupabaseClient,
  { memoryId, mediaId }: Subject,
  before: Cursor | undefined,
  signal: AbortSignal,
) {
  let query = client.from("comments").select(columnsFor(client)).eq("memory_id", memoryId).is("parent_id", null);
  query = mediaId === null ? query.is("media_id", null) : query.eq("media_id", mediaId);
  if (before) {
    const { created_at, id } = before;
    query = query.or(`created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lt.${id})`);
  }
  return await query
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(THREADS)
    .abortSignal(signal)
    .then(unwrap("Failed to load comments"));
}

type Read<Row> = (ids: string[], from: number) => PromiseLike<{ data: Row[] | null; error: unknown }>;

/** Reads all rows of these comments, in several requests if necessary. */
async function inSlices<Row>(owners: readonly { id: string }[], read: Read<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < owners.length; start += IDS) {
    const ids = owners.slice(start, start + IDS).map(({ id }) => id);
    for (let from = 0; ; from += ROWS) {
      const { data, error } = await read(ids, from);
      if (error || !data) throw new Error("Failed to load comments", { cause: error });
      rows.push(...data);
      if (data.length < ROWS) break;
    }
  }
  return rows;
}

/** Shows changes to comments live; `onConnection` is called when the connection is lost or restored. */
export function useConversationLive(client: SupabaseClient, of: Subject, onConnection: (connected: boolean) => void) {
  const cache = useQueryClient();
  const { queryKey } = commentsQuery(client, of);
  const filter = `memory_id=eq.${of.memoryId}`;
  useRowChanges(
    client,
    [
      ...["comments", "reactions", "comment_credits", "reaction_credits"].map((table) => ({
        event: "*" as const,
        table,
        filter,
      })),
      ...["comments", "reactions"].map((table) => ({ event: "DELETE" as const, table })),
    ],
    (changes) => {
      if (!changes) return void refresh(cache, queryKey);
      changeData<InfiniteData<Page>>(cache, queryKey, (before) =>
        withPages(before, withChanges(before.pages, of, changes)),
      );
    },
    onConnection,
  );
}

const withPages = <Param>(data: InfiniteData<Page, Param>, pages: Page[]) =>
  pages === data.pages ? data : { ...data, pages };

/** The people of a memory, for its members; empty for others. */
export const peopleQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.memoryPeople(memoryId),
    queryFn: async ({ signal }): Promise<MemoryPerson[]> =>
      client.rpc("memory_people", { memory_id: memoryId }).abortSignal(signal).then(unwrap("Failed to load people")),
  });

/** Returns a function that shows a comment as the server has stored it. */
export function useShowComment(client: SupabaseClient) {
  const cache = useQueryClient();
  return async ({ id, memoryId, mediaId }: CommentWrite): Promise<void> => {
    const of = { memoryId, mediaId };
    const { queryKey } = commentsQuery(client, of);
    const { data } = await client.from("comments").select(columnsFor(client)).eq("id", id).maybeSingle();
    if (!data) return void refresh(cache, queryKey);
    const { credit, ...row } = data;
    const changes = [
      { event: "INSERT" as const, table: "comments", row },
      ...(credit ? [creditChange("comment_credits", id, credit)] : []),
    ];
    changeData<InfiniteData<Page>>(cache, queryKey, (before) =>
      withPages(before, withChanges(before.pages, of, changes)),
    );
  };
}

/** The loaded part of a conversation. */
export type Threads = InfiniteData<Page, Cursor | undefined>;

/** A comment's text with the revision of its row. */
export type CommentWords = Pick<Comment, "body" | "mentions" | "revision">;

type Change = Pick<Comment, "id"> &
  ({ moderation: Comment["moderation"] } | { body: string; mentions: string[]; base: CommentWords });

const WORDS = "body,revision" as const;

/** Visitors without an account cannot read whom a comment mentions. */
const withMentions = <Failure>({
  data,
  error,
}: {
  data: { body: string; revision: number } | null;
  error: Failure;
}) => ({
  data: data && { mentions: [] as string[], ...data },
  error,
});

/**
 * Changes a comment, with an optimistic update. A text is saved over the one on which it is based: rejects with
 * `EditConflict` if its author changed that in another window.
 */
export function useChangeComment(client: SupabaseClient, of: Subject) {
  const cache = useQueryClient();
  const { queryKey } = commentsQuery(client, of);
  const failure = "Failed to change comment";
  return useMutation({
    mutationFn: async ({ id, ...change }: Change) => {
      const table = () => client.from("comments");
      if ("moderation" in change)
        return void (await table().update(change).eq("id", id).select("id").single().then(unwrap(failure)));
      const { base, ...fields } = change;
      const columns = withAccountIds(client, WORDS, "mentions");
      await saveOver<CommentWords>(base, fields, {
        failure,
        write: (changes) => table().update(changes).eq("id", id).select(columns).maybeSingle().then(withMentions),
        read: () => table().select(columns).eq("id", id).maybeSingle().then(withMentions),
      });
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (before: Threads, change: Change) => {
        const columns =
          "moderation" in change ? { moderation: change.moderation } : { body: change.body, mentions: change.mentions };
        const comment = before.pages.flatMap(({ comments }) => comments).find(({ id }) => id === change.id);
        const credit = before.pages.map(({ credits }) => credits[change.id]).find((one) => one !== undefined);
        const changes = [
          { event: "UPDATE" as const, table: "comments", row: { ...comment, ...columns } },
          ...(credit && "body" in change
            ? [creditChange("comment_credits", change.id, { ...credit, words: change.body })]
            : []),
        ];
        return withPages(before, withChanges(before.pages, of, changes));
      },
    }),
  });
}
