import { UnreadableVideoError } from "./video-error.ts";

/** A stretch of a file; `end` is the first byte that does not belong to it. */
export interface Span {
  start: number;
  end: number;
}

/** Numbers out of a box's content; every read beyond its end is refused. */
export class TableReader {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  word(at: number): number {
    this.#check(at + 4);
    return this.bytes.readUInt32BE(at);
  }

  signed(at: number): number {
    this.#check(at + 4);
    return this.bytes.readInt32BE(at);
  }

  long(at: number): number {
    this.#check(at + 8);
    return Number(this.bytes.readBigUInt64BE(at));
  }

  /** The number of entries, each of so many bytes, that a table says at `at`; refused where it holds fewer. */
  count(at: number, entryBytes: number): number {
    const count = this.word(at);
    this.#check(at + 4 + count * entryBytes);
    return count;
  }

  #check(end: number): void {
    if (end > this.bytes.length) throw new UnreadableVideoError("one of its tables ends early");
  }
}
