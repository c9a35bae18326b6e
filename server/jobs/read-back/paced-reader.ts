import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { type BytesKey, MissingBytesError, type ObjectStore } from "../../files/object-store.ts";

/** A stored file, and what its row says about its bytes. */
export interface StoredFile {
  id: string;
  bucket: string;
  version: string;
  /** The SHA-256 in hex that was kept at upload; null for files stored before checksums were. */
  sha256: string | null;
  /** In bytes; null if the row does not say. */
  size: number | null;
}

/** The checksums and the length of the bytes that were read. */
interface Measured {
  sha256: string;
  crc32: number;
  size: number;
}

export type Reading = { measured: Measured } | { missing: true } | { error: unknown };
export type Difference = "other-bytes" | "other-length" | "missing" | "unreadable";

/** Bytes per second of one reading: a small share of any disk, of any line to S3 and of this thread. */
const BYTES_PER_SECOND = 8 * 1024 * 1024;
/** The shortest pause worth a timer, in milliseconds. */
const SHORTEST_PAUSE_MS = 20;
/** Reading a small file costs about as much as reading so many bytes. */
const LEAST_COST = 64 * 1024;

export interface PacedReader {
  /** Reads all bytes as a stream. Rejects only if the signal is aborted. */
  read(key: BytesKey): Promise<Reading>;
  /** Passes the bytes of a stream on, at the same speed. */
  paced(bytes: Readable): AsyncGenerator<Buffer>;
  /** The bytes that were read since the last call, for the limit of the round. */
  takeCost(): number;
}

/** Reads stored files slowly, so that nobody else notices, until `signal` is aborted. */
export function pacedReader(objects: Pick<ObjectStore, "read">, signal: AbortSignal): PacedReader {
  let cost = 0;
  async function* paced(bytes: Readable) {
    const startedAt = performance.now();
    let read = 0;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      yield chunk;
      read += chunk.length;
      cost += chunk.length;
      const pause = startedAt + (read / BYTES_PER_SECOND) * 1000 - performance.now();
      if (pause > SHORTEST_PAUSE_MS) await delay(pause, undefined, { signal, ref: false });
    }
  }
  return {
    paced,
    async read({ bucket, version }) {
      signal.throwIfAborted();
      cost += LEAST_COST;
      const hash = createHash("sha256");
      const measured = { crc32: 0, size: 0 };
      try {
        // Without the key's CRC-32: the store would withhold other bytes instead of showing them.
        for await (const chunk of paced(await objects.read({ bucket, version }))) {
          hash.update(chunk);
          measured.crc32 = crc32(chunk, measured.crc32);
          measured.size += chunk.length;
        }
        return { measured: { ...measured, sha256: hash.digest("hex") } };
      } catch (error) {
        signal.throwIfAborted();
        return error instanceof MissingBytesError ? { missing: true } : { error };
      }
    },
    takeCost() {
      const sum = cost;
      cost = 0;
      return sum;
    },
  };
}

/** How the bytes differ from their row; undefined if they do not, as far as the row says. */
export function differenceOf(reading: Reading, { sha256, size }: StoredFile): Difference | undefined {
  if ("missing" in reading) return "missing";
  if ("error" in reading) return "unreadable";
  if (size !== null && reading.measured.size !== size) return "other-length";
  return sha256 !== null && reading.measured.sha256 !== sha256 ? "other-bytes" : undefined;
}
