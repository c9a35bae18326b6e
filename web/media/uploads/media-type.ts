import { MEDIA_EXTENSIONS } from "../../../shared/media-types.ts";
import { isTiff } from "../../../shared/unsupported-photo.ts";

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** Brands of the family of formats that begins with `ftyp`; those not named here are MP4, as Apple's M4V and the 3GP of telephones. */
const BRANDS: Record<string, string | undefined> = {
  avif: "image/avif",
  avis: "image/avif",
  heic: "image/heic",
  heix: "image/heic",
  heim: "image/heic",
  heis: "image/heic",
  hevc: "image/heic",
  hevx: "image/heic",
  mif1: "image/heif",
  msf1: "image/heif",
  "qt  ": "video/quicktime",
};
/** Sound and raw photos in the same family. */
const OTHER_BRANDS = /^(M4[ABP]|F4[AB]|crx)/;
/** A QuickTime video from before there was `ftyp` begins with one of these. */
const OLD_QUICKTIME = new Set(["moov", "mdat", "wide", "free"]);

/** How many bytes from a file's beginning {@link mediaType} wants to see. */
export const HEAD_BYTES = 256;

/**
 * The media type of a photo or video by its first bytes, or undefined for anything else. A raw photo may look like a TIFF. Names and the browser's own
 * guess are not asked: most systems know no type for HEIC, and a renamed file is still what it is.
 */
export function mediaType(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (head[0] === 0x89 && ascii(head, 1, 4) === "PNG") return "image/png";
  if (ascii(head, 0, 4) === "GIF8") return "image/gif";
  if (isTiff(ascii(head, 0, 4))) return "image/tiff";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  // Matroska begins as WebM does, and says its name a little later.
  if (ascii(head, 0, 4) === "\x1aE\xdf\xa3") {
    const name = ascii(head, 4, HEAD_BYTES);
    return name.includes("webm") ? "video/webm" : name.includes("matroska") ? "video/matroska" : undefined;
  }
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "AVI ") return "video/vnd.avi";
  if (isTransportStream(head)) return "video/mp2t";
  if (ascii(head, 0, 4) === "\0\0\x01\xba" || ascii(head, 0, 4) === "\0\0\x01\xb3") return "video/mpeg";
  if (ascii(head, 0, 8) === "0&\xb2u\x8ef\xcf\x11") return "video/x-ms-asf";
  const box = ascii(head, 4, 8);
  if (OLD_QUICKTIME.has(box)) return "video/quicktime";
  if (box !== "ftyp") return undefined;
  const brand = ascii(head, 8, 12);
  return BRANDS[brand] ?? (/^[\x20-\x7e]{4}$/.test(brand) && !OTHER_BRANDS.test(brand) ? "video/mp4" : undefined);
}

/** Packets of 188 bytes begin with the same byte; camcorders put four bytes before each. */
const isTransportStream = (head: Uint8Array): boolean =>
  [0, 4].some((before) => head[before] === 0x47 && head[before + 188 + before] === 0x47);

export const isVideo = (type: string): boolean => type.startsWith("video/");

/** The extension under which a file of this type is stored. */
export const mediaExtension = (type: string): string => MEDIA_EXTENSIONS[type] ?? "bin";

const MB = 1024 * 1024;

/** The largest file of a type in bytes (50 MB for photos, 2 GB for videos). */
export const maxBytesOf = (type: string): number => (isVideo(type) ? 2048 * MB : 50 * MB);

/** What systems call the same containers by other names. */
const OTHER_NAMES = [
  "video/x-m4v",
  "video/3gpp",
  "video/3gpp2",
  "video/avi",
  "video/x-msvideo",
  "video/x-matroska",
  "video/x-ms-wmv",
];
/** For systems that know no type for a file by its name. */
const OTHER_EXTENSIONS = [
  ".m4v",
  ".3gp",
  ".3g2",
  ".mov",
  ".heic",
  ".heif",
  ".tif",
  ".tiff",
  ".mkv",
  ".avi",
  ".mts",
  ".m2ts",
  ".mpg",
  ".mpeg",
  ".vob",
  ".wmv",
];

/** Every type there may be, as a file input wants it. */
export const MEDIA_ACCEPT = [...Object.keys(MEDIA_EXTENSIONS), ...OTHER_NAMES, ...OTHER_EXTENSIONS].join(",");
