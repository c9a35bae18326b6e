import { MEDIA_EXTENSIONS } from "../../../shared/media-types.ts";
import { isPdf, PDF } from "../../../shared/paper-format.ts";
import { isTiff, RAW_FORMATS } from "../../../shared/photo-format.ts";
import { DV, isDv } from "../../../shared/video-format.ts";

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** Brands of formats that begin with `ftyp`. Other brands are MP4, e.g. Apple's M4V and 3GP. */
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
/** Audio and raw photos with `ftyp`. */
const OTHER_BRANDS = /^(M4[ABP]|F4[AB]|crx)/;
/** The first boxes of old QuickTime videos without `ftyp`. */
const OLD_QUICKTIME = new Set(["moov", "mdat", "wide", "free"]);

/** The number of a file's first bytes that {@link mediaType} needs. */
export const HEAD_BYTES = 256;

/**
 * The media type of a photo, video or paper by its first bytes; undefined for other files. A raw photo may look like a TIFF, and a
 * recording like a video; `photoFormat` and `soundFormat` distinguish them.
 * File names and the browser's guess are ignored: most systems know no type for HEIC, and a file may be renamed.
 */
export function mediaType(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (head[0] === 0x89 && ascii(head, 1, 4) === "PNG") return "image/png";
  if (ascii(head, 0, 4) === "GIF8") return "image/gif";
  if (isPdf(head)) return PDF;
  if (isTiff(ascii(head, 0, 4))) return "image/tiff";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  // Matroska begins like WebM; its name follows a little later.
  if (ascii(head, 0, 4) === "\x1aE\xdf\xa3") {
    const name = ascii(head, 4, HEAD_BYTES);
    return name.includes("webm") ? "video/webm" : name.includes("matroska") ? "video/matroska" : undefined;
  }
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "AVI ") return "video/vnd.avi";
  if (isTransportStream(head)) return "video/mp2t";
  if (ascii(head, 0, 4) === "\0\0\x01\xba" || ascii(head, 0, 4) === "\0\0\x01\xb3") return "video/mpeg";
  if (isDv(head)) return DV;
  if (ascii(head, 0, 8) === "0&\xb2u\x8ef\xcf\x11") return "video/x-ms-asf";
  const box = ascii(head, 4, 8);
  if (OLD_QUICKTIME.has(box)) return "video/quicktime";
  if (box !== "ftyp") return undefined;
  const brand = ascii(head, 8, 12);
  return BRANDS[brand] ?? (/^[\x20-\x7e]{4}$/.test(brand) && !OTHER_BRANDS.test(brand) ? "video/mp4" : undefined);
}

/** MPEG transport streams have packets of 188 bytes with the same first byte; camcorders add four bytes before each. */
const isTransportStream = (head: Uint8Array): boolean =>
  [0, 4].some((before) => head[before] === 0x47 && head[before + 188 + before] === 0x47);

export const isVideo = (type: string): boolean => type.startsWith("video/");

/** The stored extension of a type. */
export const mediaExtension = (type: string): string => MEDIA_EXTENSIONS[type] ?? "bin";

const MB = 1024 * 1024;

/** The maximum size of a type in bytes (50 MB for photos, 100 MB for papers, 2 GB for videos and recordings). */
export const maxBytesOf = (type: string): number =>
  type.startsWith("image/") ? 50 * MB : type === PDF ? 100 * MB : 2048 * MB;

/** Other names of the same containers. */
const OTHER_NAMES = [
  "video/x-m4v",
  "video/3gpp",
  "video/3gpp2",
  "video/avi",
  "video/x-msvideo",
  "video/x-matroska",
  "video/x-ms-wmv",
  "video/x-dv",
  "audio/x-m4a",
  "audio/mp3",
  "audio/x-wav",
  "audio/x-flac",
  "audio/x-aiff",
  "audio/opus",
  "audio/3gpp",
  "image/x-ms-bmp",
  "image/x-photoshop",
  "image/x-adobe-dng",
];
/** Extensions for systems that do not know the types. */
const OTHER_EXTENSIONS = [
  ".pdf",
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
  ".dv",
  ".dif",
  ".m4a",
  ".m4b",
  ".opus",
  ".oga",
  ".amr",
  ".awb",
  ".3ga",
  ".caf",
  ".aif",
  ".aifc",
  ".wma",
  ".flac",
  ".jxl",
  ".jp2",
  ".jpx",
  ".jpf",
  ".j2k",
  ".j2c",
  ".jpc",
  ".bmp",
  ".dib",
  ".psd",
  ".psb",
  ".nrw",
  ".srf",
  ".sr2",
  ...RAW_FORMATS.map((format) => `.${format.toLowerCase()}`),
];

/** All types and extensions, for a file input. */
export const MEDIA_ACCEPT = [...Object.keys(MEDIA_EXTENSIONS), ...OTHER_NAMES, ...OTHER_EXTENSIONS].join(",");
