import exifr from "exifr";
import sharp from "sharp";
import type { Files } from "../supabase/storage/files.ts";
import type { BytesKey } from "../supabase/storage/object-store.ts";
import { formatFor, type Width } from "../supabase/storage/renditions.ts";

/** What a gallery needs of a photo before its pixels come. */
export interface Portrait {
  /** A tiny blurred picture as a data URL. */
  placeholder: string;
  /** The dominant colour as `#rrggbb`. */
  colour: string;
  /** Pixels as seen upright. */
  width: number;
  height: number;
  /** The camera's own clock as `2019-05-04 12:33:11`, in no time zone; null where it did not say. */
  takenAt: string | null;
}

/** The widths a gallery asks for; a lightbox's are made when it asks. */
const GALLERY: Width[] = [320, 640, 960];
/** The longest side of a placeholder, in pixels. */
const TINY = 20;

/** Nearly every browser of the last years; the others' copies are made when they ask. */
const TAKES_AVIF = "image/avif";

/**
 * Makes the gallery's copies of a photo of this type and describes it; rejects with `UnreadablePicture` or
 * `MissingBytes`.
 */
export async function portray(files: Files, key: BytesKey, mimetype: string): Promise<Portrait> {
  const copies = GALLERY.map((size) => ({ size, format: formatFor(mimetype, size, TAKES_AVIF) }));
  const { width, height } = await files.renditions.prepare(key, copies);
  const { path } = await files.renditions.file(key, 320, formatFor(mimetype, 320, TAKES_AVIF));
  const tiny = sharp(path).resize({ width: TINY, height: TINY, fit: "inside" });
  const placeholder = await tiny.clone().webp({ quality: 40, effort: 6 }).toBuffer();
  const { dominant } = await sharp(path).stats();
  return {
    placeholder: `data:image/webp;base64,${placeholder.toString("base64")}`,
    colour: `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, "0")).join("")}`,
    width,
    height,
    takenAt: await takenAt(await files.objects.source(key)),
  };
}

/** When a photo says it was taken; an invalid or absent EXIF block says nothing. */
export async function takenAt(photo: string | Buffer): Promise<string | null> {
  const tags: Record<string, unknown> | undefined = await exifr
    .parse(photo, { pick: ["DateTimeOriginal", "CreateDate"], reviveValues: false })
    .catch(() => undefined);
  return clockTime(tags?.DateTimeOriginal) ?? clockTime(tags?.CreateDate);
}

/** EXIF's `2019:05:04 12:33:11` as a database takes it, or null where it is no moment, as in a camera never set. */
export function clockTime(text: unknown): string | null {
  const parts = typeof text === "string" && text.match(/^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const moment = new Date(`${iso}Z`);
  // A day that its month does not have comes back as another one.
  const real = Number(year) >= 1826 && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(iso);
  return real ? iso.replace("T", " ") : null;
}
