import { open } from "node:fs/promises";
import type { Readable } from "node:stream";

/** Names the bytes of one version of an object; they never change. */
export interface BytesKey {
  bucket: string;
  version: string;
}

/** Where bytes are kept. Nothing but a driver knows whether that is a folder or an object storage service. */
export interface ObjectStore {
  /**
   * Takes over the finished local file `part`, whose bytes are durable; once it resolves they are so under their key, and
   * the file is gone.
   */
  put(key: BytesKey, part: string): Promise<void>;
  /** The bytes, or a range of them; rejects with {@link MissingBytesError}. Destroying the stream frees what it holds. */
  read(key: BytesKey, range?: ByteRange): Promise<Readable>;
  /** The bytes as a local file for programs that read nothing else, until it is released; rejects with {@link MissingBytesError}. */
  local(key: BytesKey): Promise<{ path: string; release(): Promise<void> }>;
  /** As `read` of an object of `size` bytes, a few of them all at once. */
  send(key: BytesKey, size: number, range?: ByteRange): Promise<Buffer | Readable>;
  /** For libraries that read by themselves: the path of a local file with the bytes, else all of them; rejects as `read`. */
  source(key: BytesKey): Promise<string | Buffer>;
  /** Whether the bytes are there. */
  has(key: BytesKey): Promise<boolean>;
  /** Removes the bytes; content without them. */
  remove(key: BytesKey): Promise<void>;
  /** Every key whose bytes came before `before`. */
  keys(before: Date): AsyncIterable<BytesKey>;
}

/** There are no bytes under this key: a row outlived them, or they went while it was being read. */
export class MissingBytesError extends Error {
  constructor(key: BytesKey, options?: ErrorOptions) {
    super(`There are no bytes for ${key.bucket}/${key.version}`, options);
  }
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110 §14) for `size` bytes: the one range asked for, "unsatisfiable", or undefined when
 * the whole is the answer, as for several ranges and for a header nobody can read.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const asked = header?.match(/^bytes=\s*(\d*)-(\d*)\s*$/i);
  if (!asked) return undefined;
  const [, first = "", last = ""] = asked;
  if (first === "") {
    if (last === "") return undefined;
    const suffix = Number(last);
    return suffix === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** What is read at once rather than as a stream, which for a few bytes is most of the work. */
const AT_ONCE_BYTES = 256 * 1024;

/**
 * The bytes of a local file of `size` bytes, or a range of them. It is opened before this resolves, and rejects as
 * opening does: missing bytes are an error and not a broken stream. An open file stays readable when it is removed.
 */
export async function readLocal(path: string, size: number, range?: ByteRange): Promise<Buffer | Readable> {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const file = await open(path);
  if (end - start >= AT_ONCE_BYTES) return file.createReadStream({ ...range, highWaterMark: AT_ONCE_BYTES });
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(end - start + 1), 0, end - start + 1, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
