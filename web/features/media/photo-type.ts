const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

const HEIF_BRANDS: Record<string, string> = {
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
};

const EXTENSIONS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/heic": "heic",
  "image/heif": "heif",
};

/** How many bytes from a file's beginning {@link photoType} wants to see. */
export const HEAD_BYTES = 32;

/**
 * The media type of a photo by its first bytes, or undefined for anything else. Names and the browser's own guess are
 * not asked: most systems know no type for HEIC, and a renamed file is still what it is.
 */
export function photoType(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (head[0] === 0x89 && ascii(head, 1, 4) === "PNG") return "image/png";
  if (ascii(head, 0, 4) === "GIF8") return "image/gif";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  if (ascii(head, 4, 8) === "ftyp") return HEIF_BRANDS[ascii(head, 8, 12)];
  return undefined;
}

/** The extension under which a photo of this type is stored. */
export const photoExtension = (type: string): string => EXTENSIONS[type] ?? "bin";

/** Every type a photo may have, as a file input wants it; the extensions are for systems that know no type for HEIC. */
export const PHOTO_ACCEPT = [...Object.keys(EXTENSIONS), ".heic", ".heif"].join(",");
