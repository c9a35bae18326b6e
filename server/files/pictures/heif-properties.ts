import { type Box, boxesIn } from "../videos/iso-boxes.ts";
import { UnreadableVideoError } from "../videos/video-error.ts";
import { reading, type Source } from "./sources.ts";

/** The maximum size of a table. That of a phone's photo has some thousand bytes. */
const MOST_TABLE_BYTES = 4 * 1024 * 1024;
const MOST_BOXES = 50;
/** The bytes of a version and flags before a box's content. */
const VERSION_BYTES = 4;

/** A property of a picture in a HEIC or AVIF file, e.g. its rotation (`irot`) or colours (`colr`). */
export interface HeifProperty {
  type: string;
  content: Buffer;
}

/** The properties of the main picture of a HEIC or AVIF; undefined without a readable table of contents. */
export async function heifProperties(source: Source): Promise<HeifProperty[] | undefined> {
  const meta = await reading(source, (read) => topBox(read, "meta"));
  if (!meta) return undefined;
  try {
    return propertiesOfPrimary(meta);
  } catch (error) {
    if (error instanceof RangeError || error instanceof UnreadableVideoError) return undefined;
    throw error;
  }
}

/** The content of a file's first box of this type, e.g. `meta`, the table of contents; undefined if it is too long. */
export async function topBox(
  read: (at: number, length: number) => Promise<Buffer>,
  type: string,
): Promise<Buffer | undefined> {
  for (let at = 0, count = 0; count < MOST_BOXES; count++) {
    const head = await read(at, 16);
    if (head.length < 8) return undefined;
    const short = head.readUInt32BE(0);
    const isWide = short === 1 && head.length === 16;
    const size = isWide ? Number(head.readBigUInt64BE(8)) : short;
    const headBytes = isWide ? 16 : 8;
    if (size < headBytes) return undefined;
    if (head.toString("latin1", 4, 8) === type) {
      return size > MOST_TABLE_BYTES ? undefined : read(at + headBytes, size - headBytes);
    }
    at += size;
  }
  return undefined;
}

function propertiesOfPrimary(meta: Buffer): HeifProperty[] {
  const boxes = boxesIn(meta, VERSION_BYTES, meta.length);
  const primary = boxes.find(({ type }) => type === "pitm");
  const properties = boxes.find(({ type }) => type === "iprp");
  if (!primary || !properties) return [];
  const id = meta[primary.body] ? meta.readUInt32BE(primary.body + 4) : meta.readUInt16BE(primary.body + 4);
  const parts = boxesIn(meta, properties.body, properties.end);
  const container = parts.find(({ type }) => type === "ipco");
  const all = container ? boxesIn(meta, container.body, container.end) : [];
  return parts
    .filter(({ type }) => type === "ipma")
    .flatMap((associations) => indexesOf(meta, associations, id))
    .flatMap((index) => all[index - 1] ?? [])
    .map(({ type, body, end }) => ({ type, content: meta.subarray(body, end) }));
}

/** The numbers of the properties of an item, which begin at 1. */
function indexesOf(meta: Buffer, { body, end }: Box, id: number): number[] {
  const hasWideIds = meta.readUInt8(body) > 0;
  const hasWideIndexes = (meta.readUInt8(body + 3) & 1) === 1;
  const indexes: number[] = [];
  for (let at = body + 8, remaining = meta.readUInt32BE(body + 4); remaining > 0 && at < end; remaining--) {
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
