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

const EXTENSIONS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/heic": "heic",
  "image/heif": "heif",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
};

/** How many bytes from a file's beginning {@link mediaType} wants to see. */
export const HEAD_BYTES = 128;

/**
 * The media type of a photo or video by its first bytes, or undefined for anything else. Names and the browser's own
 * guess are not asked: most systems know no type for HEIC, and a renamed file is still what it is.
 */
export function mediaType(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (head[0] === 0x89 && ascii(head, 1, 4) === "PNG") return "image/png";
  if (ascii(head, 0, 4) === "GIF8") return "image/gif";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  // Matroska begins as WebM does, and says its name a little later.
  if (ascii(head, 0, 4) === "\x1aE\xdf\xa3")
    return ascii(head, 4, HEAD_BYTES).includes("webm") ? "video/webm" : undefined;
  const box = ascii(head, 4, 8);
  if (OLD_QUICKTIME.has(box)) return "video/quicktime";
  if (box !== "ftyp") return undefined;
  const brand = ascii(head, 8, 12);
  return BRANDS[brand] ?? (/^[\x20-\x7e]{4}$/.test(brand) && !OTHER_BRANDS.test(brand) ? "video/mp4" : undefined);
}

export const isVideo = (type: string): boolean => type.startsWith("video/");

/** The extension under which a file of this type is stored. */
export const mediaExtension = (type: string): string => EXTENSIONS[type] ?? "bin";

const MB = 1024 * 1024;

/** The largest file of a type in bytes (50 MB for photos, 2 GB for videos). */
export const maxBytesOf = (type: string): number => (isVideo(type) ? 2048 * MB : 50 * MB);

/** What devices call MP4 by other brands. */
const MP4_NAMES = ["video/x-m4v", "video/3gpp", "video/3gpp2", ".m4v", ".3gp", ".3g2"];

/** Every type there may be, as a file input wants it; the extensions are for systems that know no type for HEIC or 3GP. */
export const MEDIA_ACCEPT = [...Object.keys(EXTENSIONS), ...MP4_NAMES, ".heic", ".heif", ".mov"].join(",");
