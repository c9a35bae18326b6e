import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { crc32 } from "node:zlib";

/** What a file's bytes are known by. */
export interface Digests {
  /** In hex. */
  sha256: string;
  /** Unsigned. */
  crc32: number;
}

/** Computes digests of bytes as they pass. */
export class Digest {
  readonly #sha256 = createHash("sha256");
  #crc32 = 0;
  /** How many bytes have passed. */
  at = 0;

  add(chunk: Buffer): void {
    this.#sha256.update(chunk);
    this.#crc32 = crc32(chunk, this.#crc32);
    this.at += chunk.length;
  }

  /** Ends it. */
  result(): Digests {
    return { sha256: this.#sha256.digest("hex"), crc32: this.#crc32 };
  }
}

/** The digests of a file, read once. */
export async function digestsOf(path: string): Promise<Digests> {
  const digest = new Digest();
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) digest.add(chunk as Buffer);
  return digest.result();
}
