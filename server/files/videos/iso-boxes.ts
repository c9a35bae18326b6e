import type { FileHandle } from "node:fs/promises";
import { UnreadableVideoError } from "./video-error.ts";

/** A box of the ISO base media format. Its positions are offsets in the file or buffer. */
export interface Box {
  type: string;
  at: number;
  body: number;
  end: number;
}

/** The box with its header at `at`; undefined if there is none. */
function boxAt(bytes: Buffer, at: number, limit: number): Box | undefined {
  if (at + 8 > bytes.length) return undefined;
  const type = bytes.toString("latin1", at + 4, at + 8);
  const short = bytes.readUInt32BE(at);
  if (short === 1) {
    const size = at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : 0;
    return size < 16 ? undefined : { type, at, body: at + 16, end: Math.min(limit, at + size) };
  }
  if (short !== 0 && short < 8) return undefined;
  return { type, at, body: at + 8, end: short === 0 ? limit : Math.min(limit, at + short) };
}

/** The maximum number of boxes. Most files have a few; a fragmented file may have two for each second or picture. */
const MAX_BOXES = 200_000;

/** The consecutive boxes of a file between `from` and `to`, up to the first unreadable one. */
export async function boxesOf(file: FileHandle, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  const header = Buffer.alloc(16);
  for (let at = from; at < to && boxes.length < MAX_BOXES; ) {
    const { bytesRead } = await file.read(header, 0, 16, at);
    const box = boxAt(header.subarray(0, bytesRead), 0, to - at);
    if (!box || box.end <= 0) break;
    boxes.push({ type: box.type, at, body: at + box.body, end: at + box.end });
    at += box.end;
  }
  return boxes;
}

/** The consecutive boxes in a box's content. Rejects one that is larger than its parent. */
export function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const isWide = bytes.readUInt32BE(at) === 1;
    const claimed = isWide && at + 16 <= to ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at);
    // QuickTime ends lists with a zero size.
    if (claimed === 0) break;
    const box = boxAt(bytes, at, to);
    if (!box || at + claimed > to || boxes.length > MAX_BOXES)
      throw new UnreadableVideoError("its boxes do not fit together");
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** The content of a box in a file. */
export async function readBox(file: FileHandle, { body, end }: Box, maxBytes: number): Promise<Buffer> {
  if (end - body > maxBytes) throw new UnreadableVideoError("its tables are too large");
  if (end < body) throw new UnreadableVideoError("its boxes do not fit together");
  const bytes = Buffer.alloc(end - body);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, body);
  if (bytesRead < bytes.length) throw new UnreadableVideoError("it was cut off");
  return bytes;
}

/** The creation time in a movie's header, in milliseconds of the Unix epoch; undefined if it has none. */
export async function movieCreated(file: FileHandle): Promise<number | undefined> {
  const { size } = await file.stat();
  const moov = (await boxesOf(file, 0, size)).find(({ type }) => type === "moov");
  const mvhd = moov && (await boxesOf(file, moov.body, moov.end)).find(({ type }) => type === "mvhd");
  if (!mvhd) return undefined;
  const head = Buffer.alloc(12);
  const { bytesRead } = await file.read(head, 0, 12, mvhd.body);
  if (bytesRead < 12) return undefined;
  const seconds = head[0] === 1 ? Number(head.readBigUInt64BE(4)) : head.readUInt32BE(4);
  return seconds === 0 ? undefined : (seconds - EPOCH_SECONDS) * 1000;
}

/** The size of a movie's media data; 0 if the file is no movie. */
export async function mediaBytes(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const boxes = await boxesOf(file, 0, size);
  return boxes.reduce((sum, { type, body, end }) => sum + (type === "mdat" ? Math.max(0, end - body) : 0), 0);
}

/** The epoch of QuickTime, the beginning of 1904, in seconds before 1970. */
const EPOCH_SECONDS = 2_082_844_800;

const HOLD_TIMES = new Set(["mvhd", "tkhd", "mdhd"]);
const HOLD_BOXES = new Set(["moov", "trak", "mdia"]);

/** The positions and lengths of the creation and modification times in a `moov` box. */
export function writtenTimes(moov: Buffer): { position: number; length: number }[] {
  const times: { position: number; length: number }[] = [];
  const walk = (from: number, to: number) => {
    for (let at = from, box = boxAt(moov, at, to); box && at < to; at = box.end, box = boxAt(moov, at, to)) {
      if (HOLD_TIMES.has(box.type)) times.push({ position: box.body + 4, length: moov[box.body] === 1 ? 16 : 8 });
      else if (HOLD_BOXES.has(box.type)) walk(box.body, box.end);
    }
  };
  walk(0, moov.length);
  return times;
}
