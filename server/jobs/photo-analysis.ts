import sharp from "sharp";
import type { Files } from "../files/files.ts";
import type { BytesKey } from "../files/object-store.ts";
import { formatFor, type Width } from "../files/pictures/copies.ts";
import { contentIdentifier } from "./content-identifier.ts";
import { embeddedVideo } from "./embedded-video.ts";
import { type PhotoDate, photoDate } from "./photo-date.ts";

/** What a gallery needs of a photo before its pixels come. */
export interface PhotoAnalysis {
  /** A tiny blurred picture as a data URL. */
  placeholder: string;
  /** The dominant colour as `#rrggbb`. */
  colour: string;
  /** Pixels as seen upright. */
  width: number;
  height: number;
  /** Null where the file does not say when it was taken. */
  date: PhotoDate | null;
  /** Whether a part of its data is missing. */
  damaged: boolean;
  /** By which a phone ties it to its video; null in most photos. */
  contentIdentifier: string | null;
  /** Whether its file contains the video that was recorded with it. */
  hasVideo: boolean;
}

/** The widths a gallery asks for; a lightbox's are made when it asks. */
const GALLERY: Width[] = [320, 640, 960];
/** The longest side of a placeholder, in pixels. */
const TINY = 20;

/** Nearly every browser of the last years; the others' copies are made when they ask. */
const TAKES_AVIF = "image/avif";

/**
 * Makes the gallery's copies of a photo of this type and describes it; rejects with `UnreadablePictureError` or
 * `MissingBytesError`.
 */
export async function analysePhoto(files: Files, key: BytesKey, mimetype: string): Promise<PhotoAnalysis> {
  const copies = GALLERY.map((size) => ({ size, format: formatFor(mimetype, size, TAKES_AVIF) }));
  const { width, height, damaged } = await files.renditions.prepare(key, copies);
  const { path } = await files.renditions.file(key, 320, formatFor(mimetype, 320, TAKES_AVIF));
  const tiny = sharp(path).resize({ width: TINY, height: TINY, fit: "inside" });
  const placeholder = await tiny.clone().webp({ quality: 40, effort: 6 }).toBuffer();
  const { dominant } = await sharp(path).stats();
  return {
    placeholder: `data:image/webp;base64,${placeholder.toString("base64")}`,
    colour: `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, "0")).join("")}`,
    width,
    height,
    date: await photoDate(await files.objects.source(key)),
    damaged,
    ...(await motionOf(files, key, mimetype)),
  };
}

/** The formats in which phones write photos that move. */
const MOVING_TYPES = new Set(["image/jpeg", "image/heic", "image/heif"]);

async function motionOf(
  files: Files,
  key: BytesKey,
  mimetype: string,
): Promise<Pick<PhotoAnalysis, "contentIdentifier" | "hasVideo">> {
  if (!MOVING_TYPES.has(mimetype)) return { contentIdentifier: null, hasVideo: false };
  const original = await files.objects.local(key);
  try {
    const { exif, xmp } = await sharp(original.path, { failOn: "none" }).metadata();
    return {
      contentIdentifier: contentIdentifier(exif),
      hasVideo: (await embeddedVideo(original.path, xmp?.toString("utf8") ?? "")) !== null,
    };
  } finally {
    await original.release();
  }
}
