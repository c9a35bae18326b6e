import { open } from "node:fs/promises";
import exifr from "exifr";
import { type Box, boxesIn } from "../videos/iso-boxes.ts";
import { UnreadableVideoError } from "../videos/video-error.ts";

/** The maximum size of the table of contents. That of a phone's photo has some thousand bytes. */
const MOST_META_BYTES = 4 * 1024 * 1024;
const MOST_BOXES = 50;
/** The bytes of a version and flags before a box's content. */
const VERSION_BYTES = 4;

type Read = (at: number, length: number) => Promise<Buffer>;

/**
 * The EXIF orientation (1 to 8) with which a decoded HEIC or AVIF must be turned. Decoders apply the rotation and mirroring
 * of the file itself, and phones repeat it in EXIF, so EXIF counts only if the file has none: 1 for most files.
 */
export async function heifOrientation(source: string | Buffer, exif: Buffer | undefined): Promise<number> {
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

async function hasOwnOrientation(source: string | Buffer): Promise<boolean> {
  const meta = typeof source === "string" ? await metaOfFile(source) : await metaOf(readingOf(source));
  // Without a readable table of contents the decoder decides.
  if (!meta) return true;
  try {
    return propertiesOfPrimary(meta).some((type) => type === "irot" || type === "imir");
  } catch (error) {
    if (error instanceof RangeError || error instanceof UnreadableVideoError) return true;
    throw error;
  }
}

const readingOf =
  (bytes: Buffer): Read =>
  async (at, length) =>
    bytes.subarray(at, at + length);

async function metaOfFile(path: string): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    return await metaOf(async (at, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

/** The content of the box with the table of contents. */
async function metaOf(read: Read): Promise<Buffer | undefined> {
  for (let at = 0, count = 0; count < MOST_BOXES; count++) {
    const head = await read(at, 16);
    if (head.length < 8) return undefined;
    const short = head.readUInt32BE(0);
    const isWide = short === 1 && head.length === 16;
    const size = isWide ? Number(head.readBigUInt64BE(8)) : short;
    const headBytes = isWide ? 16 : 8;
    if (size < headBytes) return undefined;
    if (head.toString("latin1", 4, 8) === "meta") {
      return size > MOST_META_BYTES ? undefined : read(at + headBytes, size - headBytes);
    }
    at += size;
  }
  return undefined;
}

/** The types of the properties of the file's main picture. */
function propertiesOfPrimary(meta: Buffer): string[] {
  const boxes = boxesIn(meta, VERSION_BYTES, meta.length);
  const primary = boxes.find(({ type }) => type === "pitm");
  const properties = boxes.find(({ type }) => type === "iprp");
  if (!primary || !properties) return [];
  const id = meta[primary.body] ? meta.readUInt32BE(primary.body + 4) : meta.readUInt16BE(primary.body + 4);
  const parts = boxesIn(meta, properties.body, properties.end);
  const container = parts.find(({ type }) => type === "ipco");
  const types = container ? boxesIn(meta, container.body, container.end).map(({ type }) => type) : [];
  return parts
    .filter(({ type }) => type === "ipma")
    .flatMap((associations) => indexesOf(meta, associations, id))
    .flatMap((index) => types[index - 1] ?? []);
}

/** The numbers of the properties of an item, which begin at 1. */
function indexesOf(meta: Buffer, { body, end }: Box, id: number): number[] {
  const hasWideIds = meta.readUInt8(body) > 0;
  const hasWideIndexes = (meta.readUInt8(body + 3) & 1) === 1;
  const indexes: number[] = [];
  for (let at = body + 8, left = meta.readUInt32BE(body + 4); left > 0 && at < end; left--) {
    const item = hasWideIds ? meta.readUInt32BE(at) : meta.readUInt16BE(at);
    at += hasWideIds ? 4 : 2;
    const count = meta.readUInt8(at++);
    for (let index = 0; index < count; index++) {
      const value = hasWideIndexes ? meta.readUInt16BE(at) & 0x7fff : meta.readUInt8(at) & 0x7f;
      at += hasWideIndexes ? 2 : 1;
      if (item === id) indexes.push(value);
    }
  }
  return indexes;
}
