import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { RowChange } from "../lib/request/use-row-changes.ts";
import type { Photo } from "./media.queries.ts";
import { queryKeys, refresh } from "./query-keys.ts";

/** The channel that announces hidden items to everyone who sees the memory, as policies inform only the others. */
export const withdrawalsOf = (memoryId: string) =>
  ({ event: "INSERT", table: "memory_withdrawals", filter: `memory_id=eq.${memoryId}` }) as const;

const { comments, memory, photos, reactions, stories, storyMedia } = queryKeys;
const READ_AGAIN: Record<string, ((memoryId: string) => QueryKey)[]> = {
  media: [memory, storyMedia, comments],
  // Managers and the person who added it keep its tile.
  broken: [photos, memory, storyMedia],
  story: [stories],
  comment: [comments],
  reaction: [reactions, comments],
};

/** Takes photos that were withdrawn off the page, and has it read the rest again: managers and authors still see theirs. */
export function takeWithdrawn(cache: QueryClient, memoryId: string, told: readonly RowChange[]) {
  const kinds = new Set(told.map(({ row }) => String(row.kind)));
  if (kinds.has("media") || kinds.has("broken")) {
    const ofMedia = told.filter(({ row }) => row.kind === "media" || row.kind === "broken");
    const goneAt = new Map(
      ofMedia.flatMap(({ row }) => (row.ids as string[]).map((id) => [id, Date.parse(String(row.created_at))])),
    );
    const queryKey = queryKeys.photos(memoryId);
    // An item changed since, as by an undo that was read before this message, is shown again.
    cache.setQueryData<Photo[]>(queryKey, (photos) =>
      photos?.filter(({ id, updated_at }) => !(Date.parse(updated_at) <= (goneAt.get(id) ?? Number.NEGATIVE_INFINITY))),
    );
    // What is being read just now may be from before.
    if (cache.isFetching({ queryKey }) > 0) void cache.invalidateQueries({ queryKey });
  }
  const stale = new Set([...kinds].flatMap((kind) => READ_AGAIN[kind] ?? []));
  void refresh(cache, ...[...stale].map((of) => of(memoryId)));
}
