import type { ByteSource } from "./byte-source.ts";
import { UnreadableVideo } from "./video-error.ts";

/** An element of EBML, by places in the file. */
export interface Element {
  id: number;
  /** Where its header begins. */
  at: number;
  /** Where its content begins. */
  body: number;
  /** The first byte after it; undefined where a live recording left that open. */
  end: number | undefined;
}

/** An identifier of four bytes and a size of eight. */
const HEADER_BYTES = 12;

/** The element at `at`, which ends before `limit`; one that was cut off ends there. */
export async function elementAt(source: ByteSource, at: number, limit: number): Promise<Element> {
  const header = await source.read(at, Math.min(HEADER_BYTES, limit - at));
  const idWidth = widthOf(header[0]);
  const sizeWidth = widthOf(header[idWidth]);
  if (idWidth > 4 || sizeWidth > 8 || idWidth + sizeWidth > header.length) {
    throw new UnreadableVideo("one of its elements has no header");
  }
  const body = at + idWidth + sizeWidth;
  const bytes = header.subarray(idWidth, idWidth + sizeWidth);
  const size = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, (bytes[0] ?? 0) & (0xff >> sizeWidth));
  const open = size === 2 ** (7 * sizeWidth) - 1;
  if (!open && !Number.isSafeInteger(size)) throw new UnreadableVideo("one of its elements is too large");
  return { id: header.readUIntBE(0, idWidth), at, body, end: open ? undefined : Math.min(limit, body + size) };
}

/** How many bytes a number has, by its first: as many as that one has zeros in front, and one. */
const widthOf = (first: number | undefined) => (first ? Math.clz32(first) - 23 : 9);

/** An unsigned number of at most eight bytes. */
export async function numberIn(source: ByteSource, { body, end }: { body: number; end: number }): Promise<number> {
  const bytes = await source.read(body, Math.min(8, end - body));
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** A floating-point number of four or eight bytes; not a number where it is neither. */
export async function floatIn(source: ByteSource, { body, end }: { body: number; end: number }): Promise<number> {
  const bytes = await source.read(body, Math.min(8, end - body));
  if (bytes.length === 4) return bytes.readFloatBE();
  return bytes.length === 8 ? bytes.readDoubleBE() : Number.NaN;
}

/** The header of an empty element, `Void`, in the place of another's header of this many bytes with as much content. */
export function voidHeader(headerBytes: number, contentBytes: number): Buffer {
  const sizeWidth = Math.min(8, headerBytes - 1);
  const header = Buffer.alloc(1 + sizeWidth);
  header[0] = 0xec;
  // What of the old header is more than the longest new one counts as content.
  let size = contentBytes + (headerBytes - 1 - sizeWidth);
  for (let i = sizeWidth; i > 0; i--) {
    header[i] = size % 256;
    size = Math.floor(size / 256);
  }
  header[1] = (header[1] ?? 0) | (0x80 >> (sizeWidth - 1));
  return header;
}
