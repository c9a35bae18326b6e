import type { Readable } from "node:stream";
import type { ByteRange } from "./ranges.ts";

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
