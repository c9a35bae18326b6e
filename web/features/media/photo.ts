import type { ApproximateDate } from "../../../shared/approximate-date.ts";

/** A photo or video of a memory, as lists need it: what is not shown at once is asked for when it comes near. */
export interface Photo {
  id: string;
  memory_id: string;
  /** Who added it; null once they have left, and for whoever may not know. */
  user_id: string | null;
  type: "image" | "video";
  /** Bytes of the original. */
  size: number;
  object_name: string;
  /** Empty for whoever may not know. */
  file_name: string;
  /** Pixels as seen upright; null until known. */
  width: number | null;
  height: number | null;
  /** By the clock where it was taken, without the time of day for whoever may not know; see `shared/approximate-date.ts`. */
  taken_at: ApproximateDate | null;
  /** What says so; a file's name and the file beside it in an export are guesses. */
  taken_source: "exif" | "xmp" | "iptc" | "png" | "video" | "takeout" | "name" | "person" | null;
  /** Its place among those of the same day; null where no time is known, which comes first. */
  time_order: number | null;
  /** `#rrggbb`. */
  colour: string | null;
  state: "waiting" | "ready" | "broken";
  /** A part of its data is missing; the rest is shown. */
  damaged: boolean;
  is_cover: boolean;
  caption: string;
  /** What is seen in it, for those who can not see it. */
  alt_text: string;
  /** Its place in the keepers' own order; null while it has none. */
  position: number | null;
  /** Seconds of a video; null until known. */
  duration: number | null;
  /** The object in the bucket `posters` that stands for a video. */
  poster_name: string | null;
  /** The copy of a video that plays everywhere: null where nobody makes one, unneeded where the original is such a one. */
  playback: "waiting" | "making" | "ready" | "unneeded" | "failed" | null;
  /** How much of that copy is made, from 0 to 1. */
  playback_progress: number | null;
  /** Of a video: whether those who do not get the original can play it yet, or ever. */
  visitor_copy: "waiting" | "ready" | "failed" | null;
  /** Of a photo that was recorded with a short video: whether that plays yet, or ever. */
  motion: "waiting" | "ready" | "failed" | null;
  created_at: string;
  updated_at: string;
}

/** What the managers and contributors of its memory, and who added it, know beside what the page shows to everyone. */
const DETAILS = ["user_id", "file_name", "taken_at", "taken_source"] as const satisfies readonly (keyof Photo)[];
export type PhotoDetails = Pick<Photo, (typeof DETAILS)[number]>;

/** The columns of {@link Photo} that a list reads; the memory is known to whoever asks. */
const COLUMNS = [
  "id",
  "type",
  "size",
  "object_name",
  "width",
  "height",
  "taken_at",
  "time_order",
  "colour",
  "state",
  "damaged",
  "is_cover",
  "caption",
  "alt_text",
  "position",
  "duration",
  "poster_name",
  "playback",
  "playback_progress",
  "visitor_copy",
  "motion",
  "created_at",
  "updated_at",
] as const satisfies readonly Exclude<keyof Photo, "memory_id">[];
type Columns = Pick<Photo, (typeof COLUMNS)[number]>;

const SLOWEST_TRANSACTION_MS = 60_000;

/** A row as it is read: the details are null for whoever may not know them. */
export type PhotoRow = Columns & { details: PhotoDetails | null };
export const PHOTO_COLUMNS = `${COLUMNS.join(",")},details:media_details(${DETAILS.join(",")})`;

const UNKNOWN: Omit<PhotoDetails, "taken_at"> = { user_id: null, file_name: "", taken_source: null };

export const photoOf = ({ details, ...row }: PhotoRow, memoryId: string): Photo => ({
  ...{ ...row, memory_id: memoryId, ...UNKNOWN },
  ...details,
});

/** A change of a row of `media` or of `media_details`, as realtime tells it. */
export interface PhotoChange {
  event: "INSERT" | "UPDATE" | "DELETE";
  table: string;
  row: Record<string, unknown>;
}

/** A memory's photos after these changes: what came or changed is in it, what went, moved away or was hidden is not. */
export function withChanges(photos: readonly Photo[], memoryId: string, changes: readonly PhotoChange[]): Photo[] {
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  for (const { event, table, row } of changes) {
    if (table === "media_details") {
      const photo = byId.get(String(row.media_id));
      if (photo && event !== "DELETE") byId.set(photo.id, { ...photo, ...pick(DETAILS, row) });
      continue;
    }
    const id = String(row.id);
    if (event === "DELETE" || row.memory_id !== memoryId || row.moderation !== "shown") byId.delete(id);
    else byId.set(id, changed(byId.get(id), pick(COLUMNS, row) as Columns, memoryId));
  }
  return [...byId.values()];
}

/** The row as it is now, with what was known of it: its details are told by themselves, where they may be known. */
function changed(before: Photo | undefined, row: Columns, memoryId: string): Photo {
  const photo = { ...UNKNOWN, ...before, ...row, memory_id: memoryId };
  // The row has the day alone; a time that is known of this day stays.
  return before?.taken_at && withoutTime(before.taken_at) === row.taken_at
    ? { ...photo, taken_at: before.taken_at }
    : photo;
}

const withoutTime = (date: string) => date.replace(/T[\d:]+/, "");

const pick = (columns: readonly string[], row: Record<string, unknown>) =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

/** Since when there may be changes that nobody told of: the newest one known, less what a transaction may take. */
export function changesSince(photos: readonly Photo[]): string | undefined {
  const newest = photos.reduce((latest, { updated_at }) => Math.max(latest, Date.parse(updated_at)), 0);
  return newest > 0 ? new Date(newest - SLOWEST_TRANSACTION_MS).toISOString() : undefined;
}

/** The id under which a photo was in the queue of uploads: its object is named by it. */
export const uploadIdOf = (photo: Pick<Photo, "object_name">) => photo.object_name.replace(/^.*\/|\.[^.]*$/g, "");
