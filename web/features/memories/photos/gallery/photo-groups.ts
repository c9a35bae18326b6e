import type { Photo } from "../../../media/media.queries.ts";

/** Photos of one day; `day` is `YYYY-MM-DD` by the camera's own clock, undefined where no camera told. */
export interface PhotoGroup {
  day: string | undefined;
  photos: Photo[];
}

/** Groups photos by the day they were taken, in the order they come in. */
export function photoGroups(photos: readonly Photo[]): PhotoGroup[] {
  const groups = new Map<string | undefined, Photo[]>();
  for (const photo of photos) {
    const day = photo.taken_at?.slice(0, 10);
    const group = groups.get(day);
    if (group) group.push(photo);
    else groups.set(day, [photo]);
  }
  return [...groups].map(([day, grouped]) => ({ day, photos: grouped }));
}
