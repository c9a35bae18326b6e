import type { SupabaseClient } from "@supabase/supabase-js";
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { shownAtOnce } from "../../../lib/shown-at-once.ts";
import { useRowChanges } from "../../../lib/use-row-changes.ts";
import { type CoverPhoto, type MemoryRow, type MemorySummary, SUMMARY, summaryOf } from "../memories.queries.ts";

export interface Album {
  id: string;
  name: string;
  cover_media_id: string | null;
  created_at: string;
  /** The photo that was chosen for it, as long as it belongs to one of its memories. */
  cover: CoverPhoto | null;
  /** In their order, without those in the making. */
  memories: MemorySummary[];
}

const CHOSEN = "chosen:media(id,memory_id,type,object_name,poster_name,placeholder,colour,width,height,state)";
const ALBUM = `id,name,cover_media_id,created_at,${CHOSEN},memories(album_position,${SUMMARY})`;

type AlbumRow = Omit<Album, "cover" | "memories"> & {
  chosen: (CoverPhoto & { memory_id: string; state: string }) | null;
  memories: (MemoryRow & { album_position: number })[];
};

function readAlbum({ chosen, memories, ...album }: AlbumRow): Album {
  const inOrder = memories
    .filter(({ draft }) => !draft)
    .sort((a, b) => a.album_position - b.album_position || a.created_at.localeCompare(b.created_at));
  const fits = chosen && chosen.state === "ready" && inOrder.some(({ id }) => id === chosen.memory_id);
  return {
    ...album,
    cover: fits ? chosen : null,
    memories: inOrder.map(({ album_position: _, ...memory }) => summaryOf(memory)),
  };
}

const albumsOf = (client: SupabaseClient) =>
  client
    .from("albums")
    .select(ALBUM)
    .is("memories.cover.is_cover", true)
    .eq("memories.cover.state", "ready")
    .order("position")
    .order("created_at");

/** A person's own albums in their order, each with its memories. */
export const albumsQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: ["albums", userId],
    queryFn: async ({ signal }): Promise<Album[]> => {
      const { data, error } = await albumsOf(client)
        .eq("user_id", userId)
        .abortSignal(signal)
        .overrideTypes<AlbumRow[], { merge: false }>();
      if (error) throw new Error("Failed to load albums", { cause: error });
      return data.map(readAlbum);
    },
  });

/** One album, or null where there is none that the client's bearer may see. */
export const albumQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: ["albums", "one", id],
    queryFn: async ({ signal }): Promise<Album | null> => {
      const { data, error } = await albumsOf(client)
        .eq("id", id)
        .abortSignal(signal)
        .overrideTypes<AlbumRow[], { merge: false }>();
      if (error) throw new Error("Failed to load albums", { cause: error });
      return data[0] ? readAlbum(data[0]) : null;
    },
  });

/** Shows every list that an album is in anew. */
const renew = (cache: QueryClient) =>
  Promise.all(["albums", "memories"].map((key) => cache.invalidateQueries({ queryKey: [key] })));

/** Shows a change of albums at once, in the list of all and in each by itself. */
const atOnce = <Wish>(cache: QueryClient, change: (albums: Album[], wish: Wish) => Album[]) =>
  shownAtOnce(cache, {
    queryKey: ["albums"],
    change: (known: Album | Album[], wish: Wish) =>
      Array.isArray(known) ? change(known, wish) : (change([known], wish)[0] ?? known),
    readAgain: () => renew(cache),
  });

export function useCreateAlbum(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, position }: { name: string; position: number }): Promise<string> => {
      const { data, error } = await client.from("albums").insert({ name, position }).select("id").single();
      if (error) throw new Error("Failed to create the album", { cause: error });
      return data.id;
    },
    onSuccess: () => renew(cache),
  });
}

type AlbumChanges = Partial<Pick<Album, "name" | "cover_media_id">>;

/** Renames an album, or gives it a cover (null: its first memory's). Shown at once, taken back if it could not be kept. */
export function useChangeAlbum(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (changes: AlbumChanges) => {
      const { error } = await client.from("albums").update(changes).eq("id", id).select("id").single();
      if (error) throw new Error("Failed to save the album", { cause: error });
    },
    ...atOnce(cache, (albums, changes: AlbumChanges) =>
      albums.map((album) => (album.id === id ? { ...album, ...changes } : album)),
    ),
  });
}

/** Gives albums the order of these ids. */
export function useArrangeAlbums(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      const { error } = await client.rpc("arrange_albums", { ids });
      if (error) throw new Error("Failed to arrange albums", { cause: error });
    },
    ...atOnce(cache, (albums, ids: string[]) => inOrderOf(ids, albums)),
  });
}

/** Gives the memories of an album the order of these ids. */
export function useArrangeAlbum(client: SupabaseClient, albumId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      const { error } = await client.rpc("arrange_album", { album_id: albumId, ids });
      if (error) throw new Error("Failed to arrange the album", { cause: error });
    },
    ...atOnce(cache, (albums, ids: string[]) =>
      albums.map((album) => (album.id === albumId ? { ...album, memories: inOrderOf(ids, album.memories) } : album)),
    ),
  });
}

/** Puts memories into an album, out of whichever they were in; null takes them out. */
export function usePutInAlbum(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ albumId, ids }: { albumId: string | null; ids: string[] }) => {
      const { error } = await client.rpc("put_in_album", { album_id: albumId, ids });
      if (error) throw new Error("Failed to change the album", { cause: error });
    },
    onSettled: () => renew(cache),
  });
}

/** Shows albums as they are while they are changed elsewhere. */
export function useAlbumsLive(client: SupabaseClient) {
  const cache = useQueryClient();
  useRowChanges(
    client,
    [
      { event: "*", table: "albums" },
      { event: "*", table: "memories" },
    ],
    () => void cache.invalidateQueries({ queryKey: ["albums"] }),
  );
}

/** The items in the order of these ids; those not named come after. */
export function inOrderOf<Item extends { id: string }>(ids: readonly string[], items: readonly Item[]): Item[] {
  const place = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ id }: Item) => place.get(id) ?? ids.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
