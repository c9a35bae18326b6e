import exifr from "exifr";
import { heifProperties } from "./heif-properties.ts";
import type { Source } from "./sources.ts";

/**
 * The EXIF orientation (1 to 8) with which a decoded HEIC or AVIF must be turned. Decoders apply the rotation and mirroring
 * of the file itself, and phones repeat it in EXIF, so EXIF counts only if the file has none: 1 for most files.
 */
export async function heifOrientation(source: Source, exif: Buffer | undefined): Promise<number> {
  const orientation = exif && (await exifOrientation(exif));
  if (!orientation || orientation === 1) return 1;
  return (await hasOwnOrientation(source)) ? 1 : orientation;
}

async function exifOrientation(exif: Buffer): Promise<number> {
  const tiff = exif.subarray(0, 4).toString("latin1") === "Exif" ? exif.subarray(6) : exif;
  const tags: { Orientation?: unknown } | undefined = await exifr
    .parse(tiff, { pick: ["Orientation"], translateValues: false })
    .catch(() => undefined);
  const orientation = tags?.Orientation;
  return typeof orientation === "number" && orientation >= 1 && orientation <= 8 ? orientation : 1;
}

async function hasOwnOrientation(source: Source): Promise<boolean> {
  const properties = await heifProperties(source);
  // Without a readable table of contents the decoder decides.
  return !properties || properties.some(({ type }) => type === "irot" || type === "imir");
}
