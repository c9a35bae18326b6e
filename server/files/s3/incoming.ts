import { randomUUID } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Transform, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type BytesKey, MissingBytesError, type ObjectStore } from "../object-store.ts";
import { type IncomingBytes, removeOldFiles } from "../uploads/incoming.ts";
import { PART_BYTES, type S3Bucket, type StoredName } from "./bucket.ts";
import { nameOf } from "./objects.ts";

/** Where the bytes after the last whole part lie: S3 takes a smaller one only at an upload's end. `start` is their place. */
const tailOf = ({ version }: BytesKey, start: number) => `${tailsOf(version)}${start}`;
const tailsOf = (version: string) => `tails/${version}/`;

/** What the service has of an upload. */
interface Arrived {
  /** The multipart upload, once one has begun. */
  id: string | undefined;
  /** How many parts there are, and how many bytes they hold. */
  parts: number;
  bytes: number;
  /** The bytes after the parts. */
  tail: number;
  /** Tails that were left behind, and the present one. */
  tails: string[];
}

const NOTHING: Arrived = { id: undefined, parts: 0, bytes: 0, tail: 0, tails: [] };

/**
 * Bytes that go into multipart uploads as they come. What an upload has beyond its last whole part is an object of its
 * own until the upload goes on. All state lies in the bucket, so that any process can continue any upload. `scratch` is
 * the local folder where programs leave files that are to become objects, named by their version.
 */
export function s3Incoming(bucket: S3Bucket, objects: ObjectStore, scratch: string): IncomingBytes {
  const find = async (key: BytesKey) => {
    for await (const { name, id } of bucket.uploads(nameOf(key))) if (name === nameOf(key)) return id;
    return undefined;
  };
  const arrivedOf = async (key: BytesKey): Promise<Arrived> => {
    const id = await find(key);
    const parts = (id && (await bucket.parts(nameOf(key), id))) || [];
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    const tails = await namesBelow(tailsOf(key.version));
    // One of another place is from before the last part came.
    const tail = tails.find(({ name }) => name === tailOf(key, bytes));
    return { id, parts: parts.length, bytes, tail: tail?.size ?? 0, tails: tails.map(({ name }) => name) };
  };
  const namesBelow = async (prefix: string) => {
    const names: StoredName[] = [];
    for await (const name of bucket.list(prefix)) names.push(name);
    return names;
  };

  /** Local copies of the small objects that this process has just stored, by version: to look at one, it is not fetched back. */
  const copies = new Map<string, string>();
  async function putWhole(key: BytesKey, bytes: Buffer) {
    const path = join(scratch, `${key.version}.${randomUUID()}`);
    const written = writeFile(path, bytes).then(
      () => true,
      () => false,
    );
    await bucket.put(nameOf(key), bytes);
    if (await written) copies.set(key.version, path);
  }

  /** Takes bytes after those that have arrived, a part at a time, while the part before is on its way. */
  function receiver(key: BytesKey, arrived: Arrived, size: number | undefined) {
    const name = nameOf(key);
    let { id } = arrived;
    let number = arrived.parts;
    let sent = arrived.bytes;
    let reached = arrived.bytes;
    const waiting: Buffer[] = [];
    let length = 0;
    let sending: Promise<unknown> = Promise.resolve();
    let failed: unknown;

    async function sendPart(bytes: Buffer) {
      await sending;
      if (failed) throw failed;
      id ??= await bucket.beginUpload(name);
      number += 1;
      sent += bytes.length;
      sending = bucket.putPart(name, id, number, bytes).catch((error: unknown) => {
        failed = error;
      });
    }
    const sink = new Writable({
      highWaterMark: 1024 * 1024,
      async write(chunk: Buffer, _encoding, done) {
        try {
          waiting.push(chunk);
          length += chunk.length;
          reached += chunk.length;
          // The last part is sent at the end: a small upload needs none.
          while (length > PART_BYTES) {
            const all = Buffer.concat(waiting.splice(0), length);
            await sendPart(all.subarray(0, PART_BYTES));
            const rest = all.subarray(PART_BYTES);
            waiting.push(rest);
            length = rest.length;
          }
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    });
    return {
      sink,
      /** Prepends what is in the tail. */
      resume(bytes: Buffer) {
        waiting.push(bytes);
        length = bytes.length;
        reached += length;
      },
      /** Stores what has not been sent; the upload may go on after it unless it is complete. */
      async finish() {
        const rest = Buffer.concat(waiting, length);
        const isComplete = size === undefined || reached === size;
        const tail = tailOf(key, sent);
        if (isComplete && !id) await putWhole(key, rest);
        else if (isComplete || length === PART_BYTES) await sendPart(rest);
        else if (length > 0) await bucket.put(tail, rest);
        await sending;
        if (failed) throw failed;
        await bucket.remove(arrived.tails.filter((old) => sent > arrived.bytes || old !== tail || isComplete));
      },
      /** What comes after the connection broke is not stored; what is on its way ends. */
      settled: () => sending,
    };
  }

  const isWhole = async (key: BytesKey) => (await bucket.head(nameOf(key))) !== undefined;

  /** Makes the object of the parts. */
  async function seal(key: BytesKey): Promise<void> {
    const left = join(scratch, key.version);
    if (await stat(left).catch(() => undefined)) return objects.put(key, left);
    if (await isWhole(key)) return;
    const id = await find(key);
    const parts = id && (await bucket.parts(nameOf(key), id));
    if (!parts || parts.length === 0) throw new MissingBytesError(key);
    await bucket.completeUpload(nameOf(key), id, parts);
  }

  return {
    begin: async () => {},
    async write(key, source, { at = 0, begins, size, passing }) {
      const arrived = begins ? NOTHING : await arrivedOf(key);
      const target = receiver(key, arrived, size);
      if (arrived.tail > 0) {
        const tail = await bucket.get(tailOf(key, arrived.bytes));
        target.resume(tail ? await buffer(tail) : Buffer.alloc(0));
      }
      let written = at;
      const gate = new Transform({
        highWaterMark: 1024 * 1024,
        transform(chunk: Buffer, _encoding, done) {
          try {
            passing?.(chunk, written);
            written += chunk.length;
            done(null, chunk);
          } catch (error) {
            done(error as Error);
          }
        },
      });
      try {
        source(gate);
        await pipeline(gate, target.sink);
        await target.finish();
      } finally {
        await target.settled();
      }
    },
    async received(key, size) {
      const left = await stat(join(scratch, key.version)).catch(() => undefined);
      if (left) return left.size;
      const [isDone, { bytes, tail }] = await Promise.all([isWhole(key), arrivedOf(key)]);
      return isDone ? size : bytes + tail;
    },
    async copy(source, key) {
      if (!(await bucket.copy(nameOf(source), nameOf(key)))) throw new MissingBytesError(source);
    },
    async complete(key) {
      const path = copies.get(key.version);
      copies.delete(key.version);
      if (path && (await stat(path).catch(() => undefined))) return { path, release: () => rm(path, { force: true }) };
      await seal(key);
      return objects.local(key);
    },
    // It has lain in its place since it was complete.
    keep: async () => {},
    async remove(key) {
      const path = copies.get(key.version);
      copies.delete(key.version);
      if (path) await rm(path, { force: true });
      for await (const { name, id } of bucket.uploads(nameOf(key))) await bucket.abortUpload(name, id);
      await bucket.remove((await namesBelow(tailsOf(key.version))).map(({ name }) => name));
      await rm(join(scratch, key.version), { force: true });
    },
    async removeStrays(known, before) {
      for await (const { name, id, begun } of bucket.uploads("objects/")) {
        if (begun < before && !known.has(name.split("/").at(-1) ?? "")) await bucket.abortUpload(name, id);
      }
      const stray: string[] = [];
      for await (const { name, modified } of bucket.list("tails/")) {
        if (modified < before && !known.has(name.split("/")[1] ?? "")) stray.push(name);
      }
      await bucket.remove(stray);
      await removeOldFiles(scratch, known, before);
    },
  };
}
