import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { queue } from "../../threads/queue.ts";
import {
  type BytesKey,
  MissingBytesError,
  ObjectStorageError,
  type ObjectStore,
  type RemovableObjects,
} from "../object-store.ts";
import type { S3Bucket } from "./bucket.ts";
import type { PresignedUrls } from "./presigned.ts";

export const nameOf = ({ bucket, version }: BytesKey) => `objects/${bucket}/${version}`;

/**
 * The maximum size of an object that is read at once: it is verified before the response begins, and costs less than a
 * stream.
 */
const AT_ONCE_BYTES = 1024 * 1024;

/** The maximum number of simultaneous local copies; further ones wait. */
const LOCAL_AT_ONCE = 6;

/** Objects in an S3 bucket. Programs that need a file get a temporary copy in the local folder `scratch`. */
export function s3Objects(bucket: S3Bucket, scratch: string, presigned?: PresignedUrls): RemovableObjects {
  const turns = queue(LOCAL_AT_ONCE);
  const read: ObjectStore["read"] = async (key, range) => {
    const bytes = await bucket.get(nameOf(key), range);
    if (!bytes) throw new MissingBytesError(key);
    return key.crc32 !== undefined && range === undefined ? verified(bytes, key.crc32) : bytes;
  };

  /** Waits for a turn; resolves to the function that ends it. */
  const takeTurn = () =>
    new Promise<() => void>((taken) => {
      void turns.run(() => new Promise<void>((release) => taken(release)));
    });

  return {
    async put(key, part) {
      await bucket.putFile(nameOf(key), part);
      await rm(part, { force: true });
    },
    read,
    async send(key, size, range) {
      if (range || size > AT_ONCE_BYTES) return read(key, range);
      const bytes = await buffer(await read({ ...key, crc32: undefined }));
      const isOther = key.crc32 !== undefined && crc32(bytes) !== key.crc32;
      if (isOther || bytes.length !== size) throw otherBytes();
      return bytes;
    },
    ...(presigned && { url: (key, as) => presigned.urlOf(nameOf(key), as) }),
    source: async (key) => buffer(await read(key)),
    async local(key) {
      const endTurn = await takeTurn();
      const path = join(scratch, `${key.version}.${randomUUID()}`);
      const release = async () => {
        await rm(path, { force: true });
        endTurn();
      };
      try {
        await pipeline(await read(key), createWriteStream(path));
        return { path, release };
      } catch (error) {
        await release();
        throw error;
      }
    },
    has: async (key) => (await bucket.head(nameOf(key))) !== undefined,
    isAvailable: () =>
      bucket.check().then(
        () => true,
        () => false,
      ),
    remove: (keys) => bucket.remove(keys.map(nameOf)),
    async *keys(before) {
      for await (const { name, modified } of bucket.list("objects/")) {
        const [, folder, version] = name.split("/");
        if (folder && version && modified < before) yield { bucket: folder, version, storedAt: modified };
      }
    },
  };
}

const otherBytes = () => new ObjectStorageError(new Error("The object storage returned other bytes than were stored"));

/**
 * Passes bytes on. If they differ from the stored checksum, the last chunk is withheld and the stream fails. A CRC-32
 * finds errors of networks and disks in a fifth of the time of the SHA-256, which backups compare.
 */
function verified(bytes: Readable, expected: number): Readable {
  let sum = 0;
  let last: Buffer | undefined;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, last);
      last = chunk;
    },
    flush(done) {
      if (sum === expected) return done(null, last);
      done(otherBytes());
    },
  });
  bytes.once("error", (error) => check.destroy(error));
  check.once("close", () => bytes.destroy());
  return bytes.pipe(check);
}
