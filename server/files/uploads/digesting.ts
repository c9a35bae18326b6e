import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";

/** The digests of a file's complete bytes. */
export interface Digests {
  size: number;
  /** In hex. */
  sha256: string;
  /** Unsigned. */
  crc32: number;
  /** The first bytes, which identify its type. */
  head: Buffer;
}

/** The number of first bytes to keep; they contain the magic numbers of all types. */
const HEAD_BYTES = 64 * 1024;

/** The running digests of bytes. */
export class Digesting {
  readonly #sha256: Hash;
  readonly #head: Uint8Array[];
  #crc32: number;
  /** The number of bytes read. */
  at: number;

  /** Starts with a copy of the state `begun`, if given, so that both can continue differently. */
  constructor(initial?: Digesting) {
    this.#sha256 = initial ? initial.#sha256.copy() : createHash("sha256");
    this.#head = initial ? [...initial.#head] : [];
    this.#crc32 = initial ? initial.#crc32 : 0;
    this.at = initial?.at ?? 0;
  }

  add(bytes: Uint8Array): void {
    this.#sha256.update(bytes);
    this.#crc32 = crc32(bytes, this.#crc32);
    if (this.at < HEAD_BYTES) this.#head.push(Uint8Array.from(bytes.subarray(0, HEAD_BYTES - this.at)));
    this.at += bytes.length;
  }

  digests(): Digests {
    return {
      size: this.at,
      sha256: this.#sha256.copy().digest("hex"),
      crc32: this.#crc32,
      head: Buffer.concat(this.#head),
    };
  }
}
