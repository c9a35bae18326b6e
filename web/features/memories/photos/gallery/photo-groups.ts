import type { Photo } from "../../../media/media.queries.ts";
import type { PhotoOrder } from "./photo-order.ts";

/** Photos that stand under one title. */
export interface PhotoGroup {
  /** `1998`, `1998-05` or `1998-05-12` by the camera's own clock; undefined where no camera told, or nothing is grouped. */
  date: string | undefined;
  photos: Photo[];
}

const DAY = "YYYY-MM-DD".length;
const MONTH = "YYYY-MM".length;
const YEAR = "YYYY".length;
/** More titles than this say less than fewer would. */
const MANY = 36;

/**
 * Groups photos by the dates that their order goes by, in the order they come in: by days while those are few, by months,
 * or by years. What is arranged by hand is one group.
 */
export function photoGroups(photos: readonly Photo[], order: PhotoOrder): PhotoGroup[] {
  if (order === "arranged") return photos.length > 0 ? [{ date: undefined, photos: [...photos] }] : [];
  const days = photos.map((photo) => (order === "added" ? localDay(photo.created_at) : photo.taken_at?.slice(0, DAY)));
  const distinct = (length: number) => new Set(days.map((day) => day?.slice(0, length))).size;
  const length = [DAY, MONTH].find((one) => distinct(one) <= MANY) ?? YEAR;
  const groups: PhotoGroup[] = [];
  photos.forEach((photo, index) => {
    const date = days[index]?.slice(0, length);
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
