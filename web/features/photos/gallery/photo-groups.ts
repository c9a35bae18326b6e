import { type ApproximateDate, coarseDate } from "../../../../shared/approximate-date.ts";
import type { Photo } from "../../../data/media.queries.ts";
import type { PhotoOrder } from "../../../data/photo-order.ts";

/** Photos that stand under one title. */
export interface PhotoGroup {
  /** A day, a month, a year, or what less is known; undefined where nothing is known, or nothing is grouped. */
  date: ApproximateDate | undefined;
  photos: Photo[];
}

/** More titles than this say less than fewer would. */
const MANY = 36;

/**
 * Groups photos by the dates that their order goes by, in the order they come in: by days while those are few, by months,
 * or by years. Approximate dates that are coarser than that are groups of their own. What is arranged by hand is one group.
 */
export function photoGroups(photos: readonly Photo[], order: PhotoOrder): PhotoGroup[] {
  if (order === "arranged") return photos.length > 0 ? [{ date: undefined, photos: [...photos] }] : [];
  const dates = photos.map((photo) => (order === "added" ? localDay(photo.created_at) : photo.taken_at));
  const coarse = (to: "day" | "month" | "year") => dates.map((date) => (date ? coarseDate(date, to) : undefined));
  const titles = (["day", "month"] as const).map(coarse).find((dates) => new Set(dates).size <= MANY) ?? coarse("year");
  const groups: PhotoGroup[] = [];
  photos.forEach((photo, index) => {
    const date = titles[index];
    const last = groups.at(-1);
    if (last && last.date === date) last.photos.push(photo);
    else groups.push({ date, photos: [photo] });
  });
  return groups;
}

/** The day on which it was added, where the reader is: unlike a camera's clock, this is a moment. */
function localDay(moment: string): string {
  const date = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
