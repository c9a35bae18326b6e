import {
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Returned, Row } from "../../shared/database.ts";
import { searchWords } from "../../shared/search-key.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { restoreDeleted } from "../lib/request/deletions.ts";
import { anywhere, freshByPages, inPages, lastOf, type PageOrder } from "../lib/request/in-pages.ts";
import { optimisticUpdate } from "../lib/request/optimistic-update.ts";
import { changeData, refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { type RowChange, useRowChanges } from "../lib/request/use-row-changes.ts";
import type { Photo, PhotoRef } from "./photo.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";
import type { Reveal } from "./reveal.ts";

export type Memory = Pick<
  Row<"memories">,
  | "id"
  | "kind"
  | "person_name"
  | "description"
  | "birth_date"
  | "passing_date"
  | "event_date"
  | "draft"
  | "cover_x"
  | "cover_y"
  | "media_order"
  | "created_at"
  | "updated_at"
  | "revision"
>;

/** The fields that managers may change. */
export type MemoryChanges = Partial<Omit<Memory, "id" | "created_at" | "updated_at" | "revision">>;

export interface CoverPhoto extends PhotoRef {
  colour: string | null;
  width: number | null;
  height: number | null;
  placeholder?: string | null;
}

/** A memory with its cover, so that its page appears before its photos are loaded. */
export type MemoryWithCover = Memory & { cover: CoverPhoto | null };

/** A memory for its page's layout: with counts of the parts that load later. */
export type MemoryAtAGlance = MemoryWithCover & {
  photo_count: number;
  comment_count: number;
  /** Null if guests see everything at once. */
  reveal: Reveal | null;
  /** The hosts' questions. */
  prompts: { id: string }[];
  slideshows: { id: string }[];
};

export type MemorySummary = Omit<Memory, "description"> & {
  photo_count: number;
  cover: CoverPhoto | null;
};

/** A memory in a person's list of own memories. */
export type ListedMemory = MemorySummary & { album: { id: string; name: string } | null };

const COVER = "cover:media(id,type,object_name,poster_name,placeholder,colour,width,height,edit)";
// Named columns, because visitors may not read all of them.
const FACTS =
  "id,kind,person_name,birth_date,passing_date,event_date,draft,cover_x,cover_y,media_order,created_at,updated_at,revision";
/** The columns of a list's memory, parsed by {@link summaryOf}. */
export const SUMMARY = `${FACTS},counts:memory_counts(photos),${COVER}` as const;

export type MemoryRow = Omit<Memory, "description"> & { counts: { photos: number }[]; cover: CoverPhoto[] };

/** Adds up a column of a memory's counts, which are kept in several rows. */
const totalOf = <Column extends string>(rows: readonly Record<Column, number>[], column: Column) =>
  rows.reduce((sum, row) => sum + row[column], 0);

export const summaryOf = ({ counts, cover, ...memory }: MemoryRow): MemorySummary => ({
  ...memory,
  photo_count: totalOf(counts, "photos"),
  cover: cover[0] ?? null,
});

const PAGE = 24;
/** Cache time of lists, so that a list keeps its scroll position while a memory is visited. */
export const KEPT_LISTS_MS = 60 * 60_000;

const NEWEST_FIRST: PageOrder<Pick<Memory, "created_at" | "id">> = [
  ["created_at", "down"],
  ["id", "up"],
];

/** The filter of a list of memories. */
export interface MemoryFilter {
  /** A part of the name; empty for all. */
  find?: string;
  /** Leaves out drafts. */
  finished?: boolean;
}

/** A person's own memories in pages, newest first, each with its cover, its album and the number of its photos. */
export const memoriesQuery = (
  client: SupabaseClient,
  userId: string,
  { find = "", finished = false }: MemoryFilter = {},
) =>
  infiniteQueryOptions({
    queryKey: queryKeys.memories(userId, "pages", { find: find.trim(), finished }),
    queryFn: async ({ pageParam, signal }): Promise<ListedMemory[]> => {
      let query = client
        .from("memories")
        .select(`${SUMMARY},album:albums(id,name)` as const)
        .eq("user_id", userId)
        .is("cover.is_cover", true)
        .eq("cover.state", "ready");
      for (const word of searchWords(find)) query = query.like("name_key", anywhere(word));
      if (finished) query = query.is("draft", false);
      const data = await inPages(query, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load memories"));
      return data.map((row) => ({ ...summaryOf(row), album: row.album }));
    },
    initialPageParam: undefined as Pick<Memory, "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    staleTime: freshByPages,
    gcTime: KEPT_LISTS_MS,
  });

/** Maximum number of memberships in the list. */
const MOST_SHARED = 100;

/** A memory of another person, with one's own role in it. */
export type SharedMemory = MemorySummary & { role: Row<"memory_members">["role"] };

/** The memories of other people that a person is a member of, the newest membership first. */
export const sharedMemoriesQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.memories(userId, "shared"),
    queryFn: async ({ signal }): Promise<SharedMemory[]> => {
      const data = await client
        .from("memory_members")
        .select(`role,memories(${SUMMARY})` as const)
        .eq("user_id", userId)
        .is("memories.cover.is_cover", true)
        .eq("memories.cover.state", "ready")
        .order("created_at", { ascending: false })
        .limit(MOST_SHARED)
        .abortSignal(signal)
        .then(unwrap("Failed to load memories"));
      return data.flatMap(({ role, memories }) =>
        memories && !memories.draft ? [{ ...summaryOf(memories), role }] : [],
      );
    },
  });

/** The number of a person's memories, drafts included. */
export const memoryCountQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.memories(userId, "count"),
    queryFn: async ({ signal }): Promise<number> => {
      const { count, error } = await client
        .from("memories")
        .select("id", { count: "exact", head: true })
        .eq("user_id", userId)
        .abortSignal(signal);
      if (error) throw new Error("Failed to count memories", { cause: error });
      return count ?? 0;
    },
  });

/** The kind of a person's memories: "tribute" if any is one, "event" if all are events, null if there are none. */
export const memoryKindQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.memories(userId, "kind"),
    queryFn: async ({ signal }): Promise<Memory["kind"] | null> => {
      const data = await client
        .from("memories")
        .select("kind")
        .eq("user_id", userId)
        .order("kind", { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .then(unwrap("Failed to load memories"));
      return data[0]?.kind ?? null;
    },
  });

/** One memory, or null if the client may not see it. */
export const memoryQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.memory(id),
    queryFn: async ({ signal }): Promise<MemoryAtAGlance | null> => {
      const data = await client
        .from("memories")
        .select(
          `${FACTS},description,counts:memory_counts(photos,comments),reveal:reveals(reveal_at,time_zone,revealed,revision),prompts(id),slideshows(id),${COVER}` as const,
        )
        .eq("id", id)
        .is("cover.is_cover", true)
        .eq("cover.state", "ready")
        .abortSignal(signal)
        .then(unwrap("Failed to load memory"));
      if (!data[0]) return null;
      const { cover, counts, ...memory } = data[0];
      return {
        ...memory,
        cover: cover[0] ?? null,
        photo_count: totalOf(counts, "photos"),
        comment_count: totalOf(counts, "comments"),
      };
    },
  });

/** The caller's permissions for a memory, for the page's actions; the server decides by the same rules. */
export type MemoryRights = Returned<"memory_rights">;

export const rightsQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.memoryRights(id),
    queryFn: async ({ signal }): Promise<MemoryRights> =>
      client.rpc("memory_rights", { memory_id: id }).abortSignal(signal).then(unwrap("Failed to load memory")),
  });

/** A person's unfinished memory, the latest if there are several; null if there is none. */
export const draftQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.memoryDraft(userId),
    queryFn: async ({ signal }): Promise<Memory | null> => {
      const data = await client
        .from("memories")
        .select()
        .eq("user_id", userId)
        .is("draft", true)
        .order("created_at", { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .then(unwrap("Failed to load memories"));
      return data[0] ?? null;
    },
    // The open form has the newest state, so a refetch must not overwrite it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

async function changeMemory(client: SupabaseClient, id: string, changes: MemoryChanges): Promise<Memory> {
  return await client
    .from("memories")
    .update(changes)
    .eq("id", id)
    .select()
    .single()
    .then(unwrap("Failed to save memory"));
}

/** Changes a memory, with an optimistic update. */
export function useChangeMemory(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  const { queryKey } = memoryQuery(client, id);
  return useMutation({
    mutationFn: (changes: MemoryChanges) => changeMemory(client, id, changes),
    ...optimisticUpdate(cache, {
      queryKey,
      change: (memory: MemoryWithCover, changes: MemoryChanges) => ({ ...memory, ...changes }),
      readAgain: () => refresh(cache, queryKey, queryKeys.memories()),
    }),
  });
}

/**
 * Moves a memory with all its content to the trash. `onDeleted` is called even if the memory's page is unmounted by
 * then, e.g. because realtime reported the deletion first. With `onlyDraft`, a memory that was published in the
 * meantime, e.g. in another tab, is left alone.
 */
export function useDeleteMemory(client: SupabaseClient, onDeleted: () => void, { onlyDraft = false } = {}) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      const memory = client.from("memories").delete().eq("id", id);
      await (onlyDraft ? memory.is("draft", true) : memory).then(unwrap("Failed to delete memory"));
    },
    onSuccess: async () => {
      onDeleted();
      void refresh(cache, queryKeys.trash(), queryKeys.storage(), queryKeys.albums());
      await refresh(cache, queryKeys.memories());
    },
  });
}

/** Restores a memory by its id. Calls `onDone` with the success, even if the page is unmounted by then. */
export function useRestoreMemory(client: SupabaseClient, onDone: (restored: boolean) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => restoreDeleted(client, [{ kind: "memory", id }]),
    onSettled: async (_, error) => {
      onDone(error === null);
      await refresh(cache, []);
    },
  });
}

/** Keeps a memory's page current while others change the memory. */
export function useMemoryLive(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  useRowChanges(client, [{ event: "*", table: "memories", filter: `id=eq.${id}` }, withdrawalsOf(id)], (changes) => {
    const withdrawn = changes?.filter(({ table }) => table === "memory_withdrawals") ?? [];
    if (withdrawn.length > 0) takeWithdrawn(cache, id, withdrawn);
    if (withdrawn.length !== changes?.length) void refresh(cache, queryKeys.memory(id));
  });
}

/** Applies a changed role at once. Visitors do not receive roles. */
export const useRightsLive = (client: SupabaseClient, id: string) =>
  useRefreshedData(
    client,
    [{ event: "*", table: "memory_members", filter: `memory_id=eq.${id}` }],
    [queryKeys.memoryRights(id)],
  );

/** Announcements of hidden items. Row policies send an item's change only to readers who can still see the item. */
const withdrawalsOf = (memoryId: string) =>
  ({ event: "INSERT", table: "memory_withdrawals", filter: `memory_id=eq.${memoryId}` }) as const;

const { comments, hearts, memory, photos, reactions, stories, storyMedia } = queryKeys;
const READ_AGAIN: Record<string, ((memoryId: string) => QueryKey)[]> = {
  media: [memory, storyMedia, comments, hearts],
  // Managers and the person who added the item still see its tile.
  broken: [photos, memory, storyMedia],
  story: [stories],
  comment: [comments],
  reaction: [reactions, comments, hearts],
};

/** Removes withdrawn photos from the page and reloads the rest: managers and authors still see theirs. */
function takeWithdrawn(cache: QueryClient, memoryId: string, changes: readonly RowChange[]) {
  const kinds = new Set(changes.map(({ row }) => String(row.kind)));
  if (kinds.has("media") || kinds.has("broken")) {
    const ofMedia = changes.filter(({ row }) => row.kind === "media" || row.kind === "broken");
    const goneAt = new Map(
      ofMedia.flatMap(({ row }) => (row.ids as string[]).map((id) => [id, Date.parse(String(row.created_at))])),
    );
    const queryKey = queryKeys.photos(memoryId);
    // An item that changed since, e.g. by an undo, is shown again.
    changeData<Photo[]>(cache, queryKey, (photos) =>
      photos.filter(({ id, updated_at }) => !(Date.parse(updated_at) <= (goneAt.get(id) ?? Number.NEGATIVE_INFINITY))),
    );
  }
  const stale = new Set([...kinds].flatMap((kind) => READ_AGAIN[kind] ?? []));
  void refresh(cache, ...[...stale].map((of) => of(memoryId)));
}
