import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApproximateDate } from "../../../../shared/approximate-date.ts";
import { type Photo, photosQuery } from "../../../data/media.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../../lib/request/optimistic-update.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

/** The dates that photos and videos are to have, by their ids. */
export type MediaDates = ReadonlyMap<string, Pick<Photo, "taken_at" | "taken_source">>;

/** What a date that a person typed makes of each photo's own: where the day is known, the time of day stays. */
export function datesFor(photos: readonly Photo[], date: ApproximateDate | null): MediaDates {
  const isDay = date !== null && /^\d{4}-\d\d-\d\d$/.test(date);
  return new Map(
    photos.map(({ id, taken_at }) => {
      const time = isDay ? taken_at?.match(/T\d\d:\d\d:\d\d/)?.[0] : undefined;
      return [id, { taken_at: time ? `${date}${time}` : date, taken_source: "person" }];
    }),
  );
}

/** The dates that these photos have, for the way back to them. */
export const datesOf = (photos: readonly Photo[]): MediaDates =>
  new Map(photos.map(({ id, taken_at, taken_source }) => [id, { taken_at, taken_source }]));

/** Sets the dates of photos and videos in one statement; shown at once, taken back if one of them could not be changed. */
export function useSetDates(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    // One after the other: the way back is pressed before the way there is answered.
    scope: { id: `dates-${memoryId}` },
    mutationFn: async (dates: MediaDates) => {
      const wanted = [...dates.values()].map(({ taken_at }) => taken_at);
      await client
        .rpc("set_media_dates", { ids: [...dates.keys()], dates: wanted })
        .then(unwrap("Failed to set dates"));
    },
    ...optimisticUpdate(cache, {
      queryKey: photosQuery(client, memoryId).queryKey,
      change: (photos: Photo[], dates: MediaDates) =>
        photos.map((photo) => {
          const date = dates.get(photo.id);
          return date ? { ...photo, ...date } : photo;
        }),
    }),
  });
}
