import sharp from "sharp";
import { PDF } from "../../shared/paper-format.ts";
import type { Files } from "../files/files.ts";
import type { BytesKey } from "../files/object-store.ts";
import { formatFor, type Width } from "../files/pictures/copies.ts";
import { type PictureMetadata, pictureMetadata } from "../files/pictures/metadata.ts";
import { type NamedRegion, namedRegions } from "../files/pictures/regions.ts";
import type { PictureKey, PreparedPicture } from "../files/pictures/renditions.ts";
import { embeddedVideo } from "./embedded-video.ts";
import { type DateEvidence, datesIn } from "./photo-date.ts";

/** The data that a gallery needs before a photo's pixels have loaded. */
export interface PhotoAnalysis {
  /** A tiny blurred picture as a data URL. */
  placeholder: string;
  /** The dominant colour as `#rrggbb`. */
  colour: string;
  /** Pixels as seen upright. */
  width: number;
  height: number;
  /** The dates in the file. */
  dates: DateEvidence[];
  /** The people in the file. */
  people: NamedRegion[];
  /** Whether a part of its data is missing. */
  damaged: boolean;
  /** Whether it is an animation. */
  animated: boolean;
  /** The identifier that links a photo to its video; null in most photos. */
  contentIdentifier: string | null;
  /** Whether its file contains the video that was recorded with it. */
  hasVideo: boolean;
  /** The number of pages of a paper; undefined for a photo. */
  pages: number | undefined;
}

/** The widths that galleries use. Copies for the lightbox are made on demand. */
const GALLERY: Width[] = [320, 640, 960];
/** The longest side of a placeholder, in pixels. */
const TINY = 20;

/** The `Accept` header of nearly all browsers. Copies for other browsers are made on demand. */
const TAKES_AVIF = "image/avif";

/** A photo as galleries show it before its pixels have loaded. */
export type PhotoOutline = Pick<PhotoAnalysis, "placeholder" | "colour">;

/** Makes the gallery's copies of a photo as it is shown. Rejects as {@link analysePhoto}. */
export async function outlinePhoto(files: Files, key: PictureKey): Promise<PhotoOutline & PreparedPicture> {
  const copies = GALLERY.map((size) => ({ size, format: formatFor(size, TAKES_AVIF) }));
  const prepared = await files.renditions.prepare(key, copies);
  const { path } = await files.renditions.file(key, 320, formatFor(320, TAKES_AVIF));
  const tiny = sharp(path).resize({ width: TINY, height: TINY, fit: "inside" });
  const placeholder = await tiny.clone().webp({ quality: 40, effort: 6 }).toBuffer();
  const { dominant } = await sharp(path).stats();
  return {
    ...prepared,
    placeholder: `data:image/webp;base64,${placeholder.toString("base64")}`,
    colour: `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, "0")).join("")}`,
  };
}

/**
 * Makes the gallery's copies and describes a photo; the size is that of its file. Rejects with `UnreadablePictureError`,
 * `MissingBytesError`.
 */
export async function analysePhoto(files: Files, key: PictureKey, mimetype: string): Promise<PhotoAnalysis> {
  const { placeholder, colour, width, height, damaged, animated, pages } = await outlinePhoto(files, key);
  // The date in a PDF is that of its file, not of the letter.
  const metadata: PictureMetadata =
    mimetype === PDF ? { exif: [] } : await pictureMetadata(await files.objects.source(key));
  const stored = metadata.stored ?? { width, height, orientation: 1 };
  return {
    placeholder,
    colour,
    width,
    height,
    dates: await datesIn(metadata),
    people: metadata.xmp ? namedRegions(metadata.xmp.toString("utf8"), stored) : [],
    damaged,
    animated,
    pages,
    ...(await motionOf(files, key, mimetype)),
  };
}

/** Formats of motion photos. */
const MOVING_TYPES = new Set(["image/jpeg", "image/heic", "image/heif", "image/avif"]);

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

const EXIF_IFD = 0x8769;
const MAKER_NOTE = 0x927c;
const APPLE = "Apple iOS\0";
/** The offset of the directory in Apple's maker note, and the tag of the content identifier. */
const APPLE_DIRECTORY = 14;
const CONTENT_IDENTIFIER = 0x0011;
const LONGEST_IDENTIFIER = 100;
const ENTRY_BYTES = 12;

/** The identifier by which an iPhone links a photo to its video, from the photo's EXIF block; null without one. */
export function contentIdentifier(exif: Buffer | undefined): string | null {
  if (!exif) return null;
  const tiff = exif.subarray(0, 4).toString("latin1") === "Exif" ? exif.subarray(6) : exif;
  if (tiff.length < 8) return null;
  const little = tiff.toString("latin1", 0, 2) === "II";
  const number = little ? (at: number) => tiff.readUInt32LE(at) : (at: number) => tiff.readUInt32BE(at);
  try {
    const exifAt = find(tiff, number(4), little, EXIF_IFD);
    const noteAt = exifAt === undefined ? undefined : find(tiff, number(exifAt + 8), little, MAKER_NOTE);
    if (noteAt === undefined) return null;
    const note = tiff.subarray(number(noteAt + 8), number(noteAt + 8) + number(noteAt + 4));
    if (note.toString("latin1", 0, APPLE.length) !== APPLE) return null;
    // Apple writes its note with the high byte first, and counts from the note's beginning.
    const at = find(note, APPLE_DIRECTORY, false, CONTENT_IDENTIFIER);
    if (at === undefined) return null;
    const [length, start] = [note.readUInt32BE(at + 4), note.readUInt32BE(at + 8)];
    const text = note.toString("latin1", start, start + length).replace(/\0.*$/s, "");
    return /^[\x21-\x7e]+$/.test(text) && text.length <= LONGEST_IDENTIFIER ? text : null;
  } catch (error) {
    // A position beyond the block's end means a broken block.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The offset of this tag's entry in the directory at `start`. */
function find(block: Buffer, start: number, little: boolean, tag: number): number | undefined {
  const short = (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const count = short(start);
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * ENTRY_BYTES;
    if (short(at) === tag) return at;
  }
  return undefined;
}
