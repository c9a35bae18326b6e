import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import {
  type CoverPhoto,
  KEPT_LISTS_MS,
  type Memory,
  type MemorySummary,
  SUMMARY,
  summaryOf,
} from "../../data/memories.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData } from "../../data/refreshing.ts";
import { saveOver } from "../../data/save-over.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { freshByPages, inPages, lastOf, type PageOrder } from "../../lib/request/in-pages.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

export interface Album {
  id: string;
  name: string;
  cover_media_id: string | null;
  position: number;
  created_at: string;
  revision: number;
  /** Drafts are not counted. */
  memory_count: number;
  /** The chosen photo, as long as it is in one of the album's memories; otherwise the first memory's cover. */
  cover: AlbumCoverPhoto | null;
  /** Whether `cover` is the chosen photo. */
  chosen: boolean;
}

/** An album's cover photo. It has a focal point only if it is the cover of a memory, not a chosen photo. */
export type AlbumCoverPhoto = CoverPhoto & Partial<Pick<Memory, "cover_x" | "cover_y">>;

const PHOTO = "id,type,object_name,poster_name,placeholder,colour,width,height";
const CHOSEN = `chosen:media(${PHOTO},state,memory:memories(album_id))` as const;
const FIRST = `first:memories(cover_x,cover_y,cover:media!inner(${PHOTO}))` as const;
const ALBUM = `id,name,cover_media_id,position,created_at,revision,memories(count),${CHOSEN},${FIRST}` as const;

type AlbumRow = Omit<Album, "memory_count" | "cover" | "chosen"> & {
  memories: { count: number }[];
  chosen: (CoverPhoto & { state: string; memory: { album_id: string | null } | null }) | null;
  first: (Pick<Memory, "cover_x" | "cover_y"> & { cover: CoverPhoto[] })[];
};

function readAlbum({ memories, chosen, first, ...album }: AlbumRow): Album {
  const fits = chosen && chosen.state === "ready" && chosen.memory?.album_id === album.id;
  const [of] = first;
  const photo = of?.cover[0];
  return {
    ...album,
    memory_count: memories[0]?.count ?? 0,
    cover: fits ? chosen : of && photo ? { ...photo, cover_x: of.cover_x, cover_y: of.cover_y } : null,
    chosen: Boolean(fits),
  };
}

/** Selects albums. Each row contains the chosen photo and only the first memory, however many memories there are. */
const albumsOf = (client: SupabaseClient) =>
  client
    .from("albums")
    .select(ALBUM)
    .is("memories.draft", false)
    .is("first.draft", false)
    .is("first.cover.is_cover", true)
    .eq("first.cover.state", "ready")
    .order("album_position", { referencedTable: "first" })
    .order("created_at", { referencedTable: "first" })
    .order("id", { referencedTable: "first" })
    .limit(1, { referencedTable: "first" });

const PAGE = 24;
const ALBUM_ORDER: PageOrder<Pick<Album, "position" | "created_at" | "id">> = [
  ["position", "up"],
  ["created_at", "up"],
  ["id", "up"],
];

/** A person's albums in their order, in pages. */
export const albumsQuery = (client: SupabaseClient, userId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.albums(userId, "pages"),
    queryFn: async ({ pageParam, signal }): Promise<Album[]> => {
      const data = await inPages(albumsOf(client).eq("user_id", userId), ALBUM_ORDER, {
        after: pageParam,
        size: PAGE,
      })
        .abortSignal(signal)
        .then(unwrap("Failed to load albums"));
      return data.map(readAlbum);
    },
    initialPageParam: undefined as Pick<Album, "position" | "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    staleTime: freshByPages,
    gcTime: KEPT_LISTS_MS,
  });

/** One album; null if the client may not see it. */
export const albumQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.albums("one", id),
    queryFn: async ({ signal }): Promise<Album | null> => {
      const data = await albumsOf(client).eq("id", id).abortSignal(signal).then(unwrap("Failed to load albums"));
      return data[0] ? readAlbum(data[0]) : null;
    },
  });

/** A memory of an album with its position. */
export interface AlbumMemory extends MemorySummary {
  album_position: number;
}

const MEMORY_ORDER: PageOrder<Pick<AlbumMemory, "album_position" | "created_at" | "id">> = [
  ["album_position", "up"],
  ["created_at", "up"],
  ["id", "up"],
];

/** The memories of an album in their order, in pages, without drafts. */
export const albumMemoriesQuery = (client: SupabaseClient, albumId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.albums("memories", albumId),
    queryFn: async ({ pageParam, signal }): Promise<AlbumMemory[]> => {
      const query = client
        .from("memories")
        .select(`album_position,${SUMMARY}` as const)
        .eq("album_id", albumId)
        .is("draft", false)
        .is("cover.is_cover", true)
        .eq("cover.state", "ready");
      const data = await inPages(query, MEMORY_ORDER, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load albums"));
      return data.map(({ album_position, ...row }) => ({ ...summaryOf(row), album_position }));
    },
    initialPageParam: undefined as Pick<AlbumMemory, "album_position" | "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    staleTime: freshByPages,
    gcTime: KEPT_LISTS_MS,
  });

/** The album that one of a person's memories is in; null for none. */
export const albumOfQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.albums("of", memoryId),
    queryFn: async ({ signal }): Promise<Pick<Album, "id" | "name"> | null> => {
      const data = await client
        .from("memories")
        .select("album:albums(id,name)")
        .eq("id", memoryId)
        .abortSignal(signal)
        .then(unwrap("Failed to load albums"));
      return data[0]?.album ?? null;
    },
  });

/** Reloads all lists of albums and memories. */
const renew = (cache: QueryClient) => refresh(cache, queryKeys.albums(), queryKeys.memories());

/** Sorts a list's pages by these ids and keeps the pages' lengths. */
function arrangedPages<Item extends { id: string }>(
  data: InfiniteData<Item[]>,
  ids: readonly string[],
): InfiniteData<Item[]> {
  const arranged = inOrderOf(ids, data.pages.flat());
  let from = 0;
  const pages = data.pages.map((page) => {
    from += page.length;
    return arranged.slice(from - page.length, from);
  });
  return { ...data, pages };
}

/** Creates an album after the existing ones; resolves to its id. */
export function useCreateAlbum(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (name: string): Promise<string> => {
      const others = await client.from("albums").select("position").order("position", { ascending: false }).limit(1);
      if (others.error) throw new Error("Failed to create the album", { cause: others.error });
      const position = (others.data[0]?.position ?? 0) + 1;
      const data = await client
        .from("albums")
        .insert({ name, position })
        .select("id")
        .single()
        .then(unwrap("Failed to create the album"));
      return data.id;
    },
    onSuccess: () => renew(cache),
  });
}

/** An album's name with the revision of its row. */
export type NamedAlbum = Pick<Album, "name" | "revision">;

/**
 * Returns a mutation that renames an album over the name on which the new one is based, with an optimistic update.
 * Rejects with `EditConflict` if it got another name since.
 */
export function useRenameAlbum(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  const table = () => client.from("albums");
  return useMutation({
    mutationFn: ({ base, name }: { base: NamedAlbum; name: string }) =>
      saveOver<NamedAlbum>(
        base,
        { name },
        {
          failure: "Failed to save the album",
          write: (changes) => table().update(changes).eq("id", id).select("name,revision").maybeSingle(),
          read: () => table().select("name,revision").eq("id", id).maybeSingle(),
        },
      ),
    ...optimisticUpdate(cache, {
      queryKey: albumQuery(client, id).queryKey,
      change: (album: Album, { name }: { name: string }) => ({ ...album, name }),
      readAgain: () => renew(cache),
    }),
  });
}

type AlbumChanges = Pick<Album, "cover_media_id">;

/** Sets an album's cover (null: the first memory's cover), with an optimistic update. */
export function useChangeAlbum(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (changes: AlbumChanges) => {
      await client
        .from("albums")
        .update(changes)
        .eq("id", id)
        .select("id")
        .single()
        .then(unwrap("Failed to save the album"));
    },
    ...optimisticUpdate(cache, {
      queryKey: albumQuery(client, id).queryKey,
      change: (album: Album, changes: AlbumChanges) => ({ ...album, ...changes }),
      readAgain: () => renew(cache),
    }),
  });
}

/** Sets the order of a person's albums; albums not in the list follow. */
export function useArrangeAlbums(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      await client.rpc("arrange_albums", { ids }).then(unwrap("Failed to arrange albums"));
    },
    ...optimisticUpdate(cache, {
      queryKey: albumsQuery(client, userId).queryKey,
      change: (pages: InfiniteData<Album[]>, ids: string[]) => arrangedPages(pages, ids),
      readAgain: () => renew(cache),
    }),
  });
}

/** Sets the order of an album's memories; memories not in the list follow. */
export function useArrangeAlbum(client: SupabaseClient, albumId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      await client.rpc("arrange_album", { album_id: albumId, ids }).then(unwrap("Failed to arrange the album"));
    },
    ...optimisticUpdate(cache, {
      queryKey: albumMemoriesQuery(client, albumId).queryKey,
      change: (pages: InfiniteData<AlbumMemory[]>, ids: string[]) => arrangedPages(pages, ids),
      readAgain: () => renew(cache),
    }),
  });
}

/** Moves memories from their previous album into this one; null only removes them. */
export function usePutInAlbum(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ albumId, ids }: { albumId: string | null; ids: string[] }) => {
      await client.rpc("put_in_album", { album_id: albumId, ids }).then(unwrap("Failed to change the album"));
    },
    onSettled: () => renew(cache),
  });
}

/** Shows changes to albums live. */
export const useAlbumsLive = (client: SupabaseClient) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "albums" },
      { event: "*", table: "memories" },
    ],
    [queryKeys.albums()],
  );

/** Sorts items by these ids; items not in the list follow. */
export function inOrderOf<Item extends { id: string }>(ids: readonly string[], items: readonly Item[]): Item[] {
  const place = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ id }: Item) => place.get(id) ?? ids.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
