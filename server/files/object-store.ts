import { access, mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";

/** Identifies the bytes of one version of an object; they never change. */
export interface BytesKey {
  bucket: string;
  version: string;
  /** The CRC-32, if known. Complete reads from a remote store are verified with it. */
  crc32?: number | undefined;
}

/** Headers of a response that the object storage service sends itself. */
export interface SentAs {
  type: string;
  /** The `Content-Disposition`. */
  disposition: string;
}

/** The store of original bytes: a folder or an S3 bucket. */
export interface ObjectStore {
  /** Moves the complete local file `part`, whose bytes are durable, to its key. Durable once this resolves. */
  put(key: BytesKey, part: string): Promise<void>;
  /** The bytes or a range; rejects with {@link MissingBytesError}. Destroying the stream frees its resources. */
  read(key: BytesKey, range?: ByteRange): Promise<Readable>;
  /** A local file for programs that need one, until it is released; rejects with {@link MissingBytesError}. */
  local(key: BytesKey): Promise<{ path: string; release(): Promise<void> }>;
  /** `read` for an object of `size` bytes; a short range is returned as a buffer. */
  send(key: BytesKey, size: number, range?: ByteRange): Promise<Buffer | Readable>;
  /** A URL of the bytes at the service, valid for some seconds; absent if clients may not read there. */
  url?(key: BytesKey, as: SentAs): Promise<string>;
  /** The input for libraries: the path of a local file, or all bytes of a remote object. Rejects like `read`. */
  source(key: BytesKey): Promise<string | Buffer>;
  /** Whether the bytes are there. */
  has(key: BytesKey): Promise<boolean>;
  /** Whether the store can be used, and the folder of a bucket exists in it, so that missing bytes are missing. */
  isAvailable(bucket: string): Promise<boolean>;
  /** The keys of all bytes stored before `before`. */
  keys(before: Date): AsyncIterable<StoredKey>;
}

/** A store whose bytes only `Files.removeBytes` removes. */
export interface RemovableObjects extends ObjectStore {
  /** Removes the bytes of these keys, and ignores missing ones. */
  remove(keys: BytesKey[]): Promise<void>;
}

/** The key of stored bytes, and when they were last written. */
export interface StoredKey extends BytesKey {
  storedAt: Date;
}

/** No bytes under this key: they were removed before or during the read. */
export class MissingBytesError extends Error {
  constructor(key: BytesKey, options?: ErrorOptions) {
    super(`There are no bytes for ${key.bucket}/${key.version}`, options);
  }
}

/** An object storage service refused, failed or was unreachable, also on a retry. */
export class ObjectStorageError extends Error {
  constructor(cause: unknown) {
    super("The object storage cannot be reached at this moment.", { cause });
    this.name = "ObjectStorageError";
  }
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header (RFC 9110 §14) for `size` bytes: one range, "unsatisfiable", or undefined to send everything,
 * as for several ranges and invalid headers.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const range = header?.match(/^bytes=\s*(\d*)-(\d*)\s*$/i);
  if (!range) return undefined;
  const [, first = "", last = ""] = range;
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

/** The maximum size that is read at once, because a stream would cost more than the read. */
const AT_ONCE_BYTES = 256 * 1024;

/**
 * The bytes of a local file of `size` bytes, or a range of them. The file is opened before this resolves, so missing
 * bytes reject instead of breaking the stream. An open file stays readable after its removal.
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

/** Bytes in a local folder, as `{folder}/{bucket}/{version}`; parts must lie on the same file system. */
export function folderStore(folder: string): RemovableObjects {
  const pathOf = (key: BytesKey) => join(folder, key.bucket, key.version);
  return {
    async put(key, part) {
      const path = pathOf(key);
      await rename(part, path).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        // The bucket's first object. A folder's name is durable only once its parent folder is.
        await mkdir(dirname(path), { recursive: true });
        await rename(part, path);
        await syncPath(folder);
      });
      await syncPath(dirname(path));
    },
    async read(key, range) {
      // Opened before the response begins, so that missing bytes are an error and not a broken stream.
      const file = await open(pathOf(key)).catch(missing(key));
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 });
    },
    async source(key) {
      await access(pathOf(key)).catch(missing(key));
      return pathOf(key);
    },
    send: (key, size, range) => readLocal(pathOf(key), size, range).catch(missing(key)),
    async local(key) {
      const path = pathOf(key);
      await stat(path).catch((cause: NodeJS.ErrnoException) => {
        throw cause.code === "ENOENT" ? new MissingBytesError(key, { cause }) : cause;
      });
      return { path: resolve(path), release: async () => {} };
    },
    has: (key) =>
      stat(pathOf(key)).then(
        () => true,
        () => false,
      ),
    isAvailable: (bucket) =>
      access(join(folder, bucket)).then(
        () => true,
        () => false,
      ),
    async remove(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    async *keys(before) {
      await mkdir(folder, { recursive: true });
      for (const bucket of await readdir(folder)) {
        for await (const file of await opendir(join(folder, bucket))) {
          const key = { bucket, version: file.name };
          // A rename sets ctime, so ctime is the time of storing, even for an old file.
          const facts = await stat(pathOf(key)).catch(() => undefined);
          if (facts && facts.ctime < before) yield { ...key, storedAt: facts.ctime };
        }
      }
    },
  };
}

const missing = (key: BytesKey) => (cause: NodeJS.ErrnoException) => {
  throw cause.code === "ENOENT" ? new MissingBytesError(key, { cause }) : cause;
};

/** Makes a file's bytes or a folder's entries durable. */
async function syncPath(path: string) {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    // Windows cannot open folders, and makes names durable by itself.
    if (error.code === "EISDIR" || error.code === "EPERM") return undefined;
    throw error;
  });
  if (!file) return;
  try {
    await file.sync();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  } finally {
    await file.close();
  }
}
