import { UnreadableVideo } from "./video-error.ts";

/** A box of the ISO base media format (or an atom of QuickTime), by places in the file. */
export interface Box {
  type: string;
  /** Where its header begins. */
  at: number;
  /** Where its content begins. */
  body: number;
  /** The first byte after it. */
  end: number;
}

/** A part of the file that lies in memory; places are those of the file. */
export interface Loaded {
  at: number;
  bytes: Buffer;
  /** How many boxes may still be looked at: real tables are a few large ones. */
  patience: number;
}

const PATIENCE = 200_000;

export const loadedAt = (at: number, bytes: Buffer): Loaded => ({ at, bytes, patience: PATIENCE });

/** Long enough for every header. */
export const HEADER_BYTES = 16;

/** The box whose header these bytes begin with, at `at` in the file; undefined where they begin no box. */
export function boxFrom(header: Buffer, at: number): (Omit<Box, "end"> & { size: number | "to the end" }) | undefined {
  if (header.length < 8) return undefined;
  const type = header.toString("latin1", 4, 8);
  const short = header.readUInt32BE(0);
  if (short === 0) return { type, at, body: at + 8, size: "to the end" };
  if (short !== 1) return short < 8 ? undefined : { type, at, body: at + 8, size: short };
  if (header.length < HEADER_BYTES) return undefined;
  const size = header.readBigUInt64BE(8);
  if (size < HEADER_BYTES || size > Number.MAX_SAFE_INTEGER) return undefined;
  return { type, at, body: at + HEADER_BYTES, size: Number(size) };
}

/** The boxes that lie one after the other from `from` to `to`, and what is left behind the last one: QuickTime ends lists with zeros. */
export function boxesIn(loaded: Loaded, from: number, to: number): { boxes: Box[]; rest: number } {
  const { at: origin, bytes } = loaded;
  const boxes: Box[] = [];
  let at = from;
  while (to - at >= 8) {
    const found = boxFrom(bytes.subarray(at - origin, at - origin + HEADER_BYTES), at);
    if (!found && bytes.readUInt32BE(at - origin) === 0) break;
    const end = found && (found.size === "to the end" ? to : at + found.size);
    if (!found || end === undefined || end > to || found.body > end) {
      throw new UnreadableVideo("one of its boxes is larger than what it is in");
    }
    if (found.size === "to the end" && found.type === "\0\0\0\0") break;
    if (--loaded.patience < 0) throw new UnreadableVideo("it has too many boxes");
    boxes.push({ type: found.type, at, body: found.body, end });
    at = end;
  }
  return { boxes, rest: at };
}

/** The first box of a type below `box`, along a path of types. */
export function boxAt(loaded: Loaded, box: Box, ...path: string[]): Box | undefined {
  let inside: Box | undefined = box;
  for (const type of path) {
    const parent: Box | undefined = inside;
    inside = parent && boxesIn(loaded, parent.body, parent.end).boxes.find((child) => child.type === type);
  }
  return inside;
}

/** The content of a box; every read beyond its end is refused. */
export function contentOf({ at, bytes }: Loaded, box: Box | undefined): Content {
  if (!box) throw new UnreadableVideo("one of its tables is missing");
  return new Content(bytes.subarray(box.body - at, box.end - at));
}

/** Numbers out of a box. */
export class Content {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get length() {
    return this.bytes.length;
  }

  /** A full box's version. */
  get version() {
    return this.byte(0);
  }

  /** A full box's flags. */
  get flags() {
    return this.word(0) & 0xffffff;
  }

  byte(at: number) {
    this.#reach(at + 1);
    return this.bytes.readUInt8(at);
  }

  half(at: number) {
    this.#reach(at + 2);
    return this.bytes.readUInt16BE(at);
  }

  word(at: number) {
    this.#reach(at + 4);
    return this.bytes.readUInt32BE(at);
  }

  signed(at: number) {
    this.#reach(at + 4);
    return this.bytes.readInt32BE(at);
  }

  /** Eight bytes; beyond what a number can hold exactly it is nothing a file has. */
  long(at: number) {
    this.#reach(at + 8);
    return Number(this.bytes.readBigUInt64BE(at));
  }

  text(at: number, length: number) {
    this.#reach(at + length);
    return this.bytes.toString("latin1", at, at + length);
  }

  #reach(end: number) {
    if (end > this.bytes.length) throw new UnreadableVideo("one of its tables ends early");
  }
}
