import type { Row } from "../../shared/database.ts";

/** What people call it: a paper is a picture with pages. */
export type MediaKind = Row<"media">["type"] | "paper";
export const kindOf = ({ type, pages }: Pick<Row<"media">, "type" | "pages">): MediaKind => (pages ? "paper" : type);

/** What it shows, in its managers' words. The words of a recording and the text of a paper are shown beside it instead. */
export const descriptionOf = (photo: Pick<Row<"media">, "type" | "pages" | "alt_text" | "caption">): string =>
  (photo.type !== "audio" && !photo.pages && photo.alt_text) || photo.caption;

/** The fields that locate a photo's file. */
export interface PhotoRef {
  id: string;
  object_name: string;
  /** The object to display, e.g. a video's poster. */
  poster_name?: string | null;
  type?: Row<"media">["type"];
  /** How it is shown, if not as its file is. */
  edit?: Row<"media">["edit"];
}

/** Data that is requested only when a photo comes near the viewport. */
export interface MediaUrls {
  /** The signed URL of its original. */
  url?: string;
  /** The signed URL of its picture, or of a video's poster. The URLs of renditions derive from it. */
  picture?: string;
  /** A tiny blurred picture as a data URL. */
  placeholder?: string;
}

/** URLs that were loaded together with their photos. */
export type LoadedMediaUrls = readonly (readonly [Pick<PhotoRef, "id" | "poster_name">, MediaUrls])[];

/** A photo, video, recording or paper in a memory's lists. */
export type Photo = Pick<
  Row<"media">,
  | "id"
  | "memory_id"
  | "type"
  | "size"
  | "object_name"
  | "width"
  | "height"
  | "taken_at"
  | "time_order"
  | "colour"
  | "state"
  | "damaged"
  | "animated"
  | "is_cover"
  | "caption"
  | "alt_text"
  | "position"
  | "duration"
  | "peaks"
  | "pages"
  | "poster_name"
  | "playback"
  | "playback_progress"
  | "visitor_copy"
  | "motion"
  | "has_raw"
  | "has_back"
  | "back_width"
  | "back_height"
  | "back_text"
  | "edit"
  | "created_at"
  | "updated_at"
  | "revision"
> &
  // For people who may not see these fields, they are null, and the file name is empty.
  Pick<Row<"media_details">, "user_id" | "file_name" | "taken_source"> & {
    /** The place in the outline of a long list; undefined in others, and once the photo may be at another one. */
    rank?: { order: Row<"memories">["media_order"]; place: number };
    /** Only the kind, size, colour and date are loaded, and `id` is the beginning of the id. */
    outlined?: true;
  };

/** Fields that only the memory's managers and contributors and the person who added it may read. */
const DETAILS = "user_id,file_name,taken_at,taken_source";
export type PhotoDetails = Pick<Photo, "user_id" | "file_name" | "taken_at" | "taken_source">;

/** The columns of {@link Photo} in a list; the memory is known. */
const COLUMNS =
  "id,type,size,object_name,width,height,taken_at,time_order,colour,state,damaged,animated,is_cover,caption,alt_text,position,duration,peaks,pages,poster_name,playback,playback_progress,visitor_copy,motion,has_raw,has_back,back_width,back_height,back_text,edit,created_at,updated_at,revision";
type Columns = Omit<Photo, "memory_id" | Exclude<keyof PhotoDetails, "taken_at">>;

const SLOWEST_TRANSACTION_MS = 60_000;

/** A fetched row: the details are null for people who may not see them. */
export type PhotoRow = Columns & { details: PhotoDetails | null };
export const PHOTO_COLUMNS = `${COLUMNS},details:media_details(${DETAILS})` as const;

const UNKNOWN: Omit<PhotoDetails, "taken_at"> = { user_id: null, file_name: "", taken_source: null };

export const photoOf = ({ details, ...row }: PhotoRow, memoryId: string): Photo => ({
  ...row,
  memory_id: memoryId,
  ...UNKNOWN,
  ...details,
});

/** A realtime change of a row of `media` or of `media_details`. */
export interface PhotoChange {
  event: "INSERT" | "UPDATE" | "DELETE";
  table: string;
  row: Record<string, unknown>;
}

/** Applies changes to a memory's photos; moved, hidden and deleted ones are removed. */
export function withChanges(photos: readonly Photo[], memoryId: string, changes: readonly PhotoChange[]): Photo[] {
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  for (const { event, table, row } of changes) {
    if (table === "media_details") {
      const photo = byId.get(String(row.media_id));
      if (photo && event !== "DELETE") byId.set(photo.id, { ...photo, ...pick(DETAILS, row) });
      continue;
    }
    const id = String(row.id);
    const isGone = event === "DELETE" || row.memory_id !== memoryId || row.moderation !== "shown";
    // A row that is only outlined is loaded when it comes near the viewport.
    const isOutlined = byId.get(keyOf(id))?.outlined;
    if (!isGone && event === "UPDATE" && isOutlined) continue;
    if (isOutlined) byId.delete(keyOf(id));
    if (isGone) byId.delete(id);
    else byId.set(id, changed(byId.get(id), pick(COLUMNS, row) as Columns, memoryId));
  }
  return [...byId.values()];
}

/** The beginning of a photo's id, which is the id in an outline. */
export const keyOf = (id: string) => id.slice(0, 8);

/** Merges a row with the known details, which are sent separately to permitted people. */
function changed(before: Photo | undefined, row: Columns, memoryId: string): Photo {
  const photo = { ...UNKNOWN, ...before, ...row, memory_id: memoryId };
  if (before?.position !== row.position || withoutTime(before?.taken_at ?? "") !== (row.taken_at ?? ""))
    photo.rank = undefined;
  // The row contains only the day, so a known time of the same day is kept.
  return before?.taken_at && withoutTime(before.taken_at) === row.taken_at
    ? { ...photo, taken_at: before.taken_at }
    : photo;
}

const withoutTime = (date: string) => date.replace(/T[\d:]+/, "");

const pick = (columns: string, row: Record<string, unknown>) =>
  Object.fromEntries(columns.split(",").map((column) => [column, row[column]]));

/** The time from which changes may be missing: the newest known one, minus the length of a transaction. */
export function changesSince(photos: readonly Photo[]): string | undefined {
  const newest = photos.reduce((latest, { updated_at }) => Math.max(latest, Date.parse(updated_at)), 0);
  return newest > 0 ? new Date(newest - SLOWEST_TRANSACTION_MS).toISOString() : undefined;
}

/** The id of a photo in the upload queue, which is part of its object's name. */
export const uploadIdOf = (photo: Pick<Photo, "object_name">) => photo.object_name.replace(/^.*\/|\.[^.]*$/g, "");
