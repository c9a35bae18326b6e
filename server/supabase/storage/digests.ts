import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { crc32 } from "node:zlib";

/** Every type that has a magic number shows it within these. */
const HEAD_BYTES = 64 * 1024;

/** What is known of a file once all of its bytes have been seen. */
export interface Digests {
  size: number;
  /** In hex. */
  sha256: string;
  /** Unsigned. */
  crc32: number;
  /** Its beginning, which tells its type. */
  head: Buffer;
}

/** Gets to know a file's bytes as they pass. */
export class Digest {
  readonly #sha256 = createHash("sha256");
  #crc32 = 0;
  readonly #head: Buffer[] = [];
  /** How many bytes have passed. */
  at = 0;

  add(chunk: Buffer): void {
    this.#sha256.update(chunk);
    this.#crc32 = crc32(chunk, this.#crc32);
    // Copied, as a chunk may be a small piece of a large buffer that would be kept with it.
    if (this.at < HEAD_BYTES) this.#head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - this.at)));
    this.at += chunk.length;
  }

  /** Ends it. */
  result(): Digests {
    return { size: this.at, sha256: this.#sha256.digest("hex"), crc32: this.#crc32, head: Buffer.concat(this.#head) };
  }
}

/** The digests of a file, read once. */
export async function digestsOf(path: string): Promise<Digests> {
  const digest = new Digest();
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) digest.add(chunk as Buffer);
  return digest.result();
}
