import { randomUUID } from "node:crypto";
import { rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { finished } from "node:stream/promises";
import { type BytesKey, MissingBytesError, type ObjectStore } from "../object-store.ts";
import type { Digests } from "../uploads/digesting.ts";
import { digestStream, digestsOf, type StreamDigests } from "../uploads/digests.ts";
import { partsIn, type RemovableIncoming, removeScratch, type WholeWriting } from "../uploads/incoming.ts";
import type { S3Bucket, StoredName } from "./bucket.ts";
import { nameOf } from "./objects.ts";
import { PART_BYTES, type StoredPart, sendParts } from "./parts.ts";

/** The object with the bytes after the last whole part, from `start`: S3 accepts a smaller part only as the last. */
const tailOf = ({ version }: BytesKey, start: number) => `${tailsOf(version)}${start}`;
const tailsOf = (version: string) => `tails/${version}/`;

/** The part of an upload that the service has stored. */
interface StoredState {
  /** The multipart upload, once one exists. */
  id: string | undefined;
  /** The contiguous parts from the first one on, and their total bytes. */
  parts: StoredPart[];
  bytes: number;
  /** The bytes after the parts. */
  tail: number;
  /** The current tail and outdated ones. */
  tails: string[];
}

const NOTHING: StoredState = { id: undefined, parts: [], bytes: 0, tail: 0, tails: [] };

/** Known facts about complete bytes, which save a download. */
interface Completed {
  /** Absent if the digest thread has ended. */
  digests: Digests | undefined;
  /** The bytes of a small object, until they are freed. */
  small?: { bytes: Buffer; free(): void };
  /** The multipart upload, before it is completed. */
  upload?: { id: string; parts: StoredPart[] };
}

/** The digests of an upload's stored parts, for its next request. */
interface PartialDigests {
  stream: StreamDigests;
  /** Identifies the parts; the digests are invalid for others. */
  parts: string;
}

const namesOf = (parts: StoredPart[]) => parts.map(({ etag }) => etag.replaceAll(`"`, "")).join();

/** Removes a local file; if that fails, it is removed with those of killed processes. */
const drop = (path: string) => unlink(path).catch(() => {});

/** The maximum number of uploads whose state is cached between requests. */
const REMEMBERED = 100;

/** A cache of the latest values by version; calls `forget` with each evicted value. */
function latest<Value>(forget: (value: Value) => void) {
  const values = new Map<string, Value>();
  const take = (version: string) => {
    const value = values.get(version);
    values.delete(version);
    return value;
  };
  return {
    take,
    keep(version: string, value: Value) {
      const old = take(version);
      if (old !== undefined) forget(old);
      values.set(version, value);
      const [oldest] = values.keys();
      const forgotten = values.size > REMEMBERED && oldest !== undefined ? take(oldest) : undefined;
      if (forgotten !== undefined) forget(forgotten);
    },
  };
}

/**
 * Receives bytes into multipart uploads. The bytes after the last whole part are stored as a separate object until the
 * upload continues. All state is in the bucket, so any process can continue any upload. `scratch` is the local folder
 * for files that become objects, named by their version.
 */
export function s3Incoming(bucket: S3Bucket, objects: ObjectStore, scratch: string): RemovableIncoming {
  const find = async (key: BytesKey) => {
    for await (const { name, id } of bucket.uploads(nameOf(key))) if (name === nameOf(key)) return id;
    return undefined;
  };
  const storedStateOf = async (key: BytesKey): Promise<StoredState> => {
    const [id, tails] = await Promise.all([find(key), namesBelow(tailsOf(key.version))]);
    // Parts are sent in parallel, so a gap is possible: parts after it are sent again.
    const all = (id && (await bucket.parts(nameOf(key), id))) || [];
    const parts = all.filter(({ number }, index) => number === index + 1);
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    // A tail with another offset is from before the last part.
    const tail = tails.find(({ name }) => name === tailOf(key, bytes));
    return { id, parts, bytes, tail: tail?.size ?? 0, tails: tails.map(({ name }) => name) };
  };
  const namesBelow = async (prefix: string) => {
    const names: StoredName[] = [];
    for await (const name of bucket.list(prefix)) names.push(name);
    return names;
  };

  /** Facts about complete bytes before their check. Bytes without an entry are downloaded for the check. */
  const completed = latest<Completed>(({ small }) => small?.free());
  /** Small objects that are being stored, by version. Their type is determined at the same time. */
  const storing = new Map<string, Promise<void>>();
  /** Digests of uploads whose bytes all passed through this process. Other processes download the bytes. */
  const partialDigests = latest<PartialDigests>(({ stream }) => stream.end());
  /** The stored bytes of an upload, as its current request found them. The request holds the upload's lease. */
  const lastStates = latest<StoredState>(() => {});

  /** Receives bytes that follow the stored ones. */
  function receiver(key: BytesKey, state: StoredState, { size, expected = 0 }: WholeWriting) {
    const name = nameOf(key);
    const isLarge = expected > PART_BYTES;
    const before = partialDigests.take(key.version);
    const isKnown = before !== undefined && before.parts === namesOf(state.parts);
    if (!isKnown) before?.stream.end();
    const stream = isKnown ? before.stream : digestStream(size ?? (expected || undefined));
    // The tail is sent again.
    stream.rewind();
    // Complete bytes that passed through this process need not be downloaded.
    const passedHere = isKnown || state.bytes === 0;
    let isKept = false;
    let digests: Digests | undefined;
    const hash = {
      step: stream.step,
      add: stream.add,
      async endPart() {
        const end = await stream.endPart();
        if (passedHere) digests = end?.digests;
        return end?.part;
      },
    };
    const parts = sendParts(bucket, name, { id: state.id, parts: state.parts, isLarge, hash });
    let reached = state.bytes;

    /** Begins to store a small object; `keep` waits for it. */
    async function putWhole() {
      const sha256 = await parts.endHash();
      const { bytes, free } = parts.take();
      const stored = bucket.put(name, bytes, sha256).then(() => {});
      storing.set(key.version, stored);
      // `keep` reports a failure.
      stored.catch(() => {});
      completed.keep(key.version, { digests, small: { bytes, free: () => void stored.then(free, free) } });
    }
    return {
      async add(chunk: Uint8Array) {
        reached += chunk.length;
        await parts.add(chunk);
      },
      /** Stores the remaining bytes. The upload may continue later unless it is complete. */
      async finish() {
        const rest = parts.held();
        const isComplete = size === undefined || reached === size;
        if (isComplete && !parts.hasBegun()) await putWhole();
        else if (rest.length > 0 && (isComplete || rest.length === PART_BYTES)) await parts.send();
        const upload = await parts.finish();
        const tail = tailOf(key, parts.sent());
        if (!isComplete && parts.held().length > 0) await bucket.put(tail, rest);
        await bucket.remove(state.tails.filter((old) => isComplete || old !== tail));
        if (!upload) return;
        if (isComplete) return completed.keep(key.version, { digests, upload });
        if (passedHere) partialDigests.keep(key.version, { stream, parts: namesOf(upload.parts) });
        isKept = passedHere;
      },
      async close() {
        await parts.close();
        if (!isKept) stream.end();
      },
    };
  }

  const isWhole = async (key: BytesKey) => (await bucket.head(nameOf(key))) !== undefined;

  /** Completes the multipart upload, so that its parts become the object. */
  async function seal(key: BytesKey): Promise<void> {
    const partial = join(scratch, key.version);
    if (await stat(partial).catch(() => undefined)) return objects.put(key, partial);
    if (await isWhole(key)) return;
    const id = await find(key);
    const parts = id && (await bucket.parts(nameOf(key), id));
    if (!parts || parts.length === 0) throw new MissingBytesError(key);
    await bucket.completeUpload(nameOf(key), id, parts);
  }

  return {
    begin: async ({ version }) => lastStates.keep(version, NOTHING),
    async write(key, source, writing) {
      const { at = 0, begins, passing } = writing;
      const seen = lastStates.take(key.version);
      const isRecent = seen !== undefined && seen.bytes + seen.tail === at;
      const state = begins ? NOTHING : isRecent ? seen : await storedStateOf(key);
      const target = receiver(key, state, writing);
      let written = at;
      const sink = new Transform({
        highWaterMark: 1024 * 1024,
        transform(chunk: Buffer, _encoding, done) {
          try {
            passing?.(chunk, written);
          } catch (error) {
            return done(error as Error);
          }
          written += chunk.length;
          target.add(chunk).then(() => done(), done);
        },
      });
      try {
        if (state.tail > 0) {
          for await (const chunk of (await bucket.get(tailOf(key, state.bytes))) ?? []) await target.add(chunk);
        }
        source(sink);
        await finished(sink.resume());
        await target.finish();
      } finally {
        await target.close();
      }
    },
    async received(key, size) {
      const partial = await stat(join(scratch, key.version)).catch(() => undefined);
      if (partial) return partial.size;
      const [isDone, state] = await Promise.all([isWhole(key), storedStateOf(key)]);
      if (isDone) return size;
      lastStates.keep(key.version, state);
      return state.bytes + state.tail;
    },
    async copy(source, key) {
      if (!(await bucket.copy(nameOf(source), nameOf(key)))) throw new MissingBytesError(source);
    },
    async complete(key) {
      const completion = completed.take(key.version);
      if (completion?.upload) await bucket.completeUpload(nameOf(key), completion.upload.id, completion.upload.parts);
      if (!completion) await seal(key);
      const { digests, small } = completion ?? {};
      let local: ReturnType<ObjectStore["local"]> | undefined;
      const writeSmall = async (bytes: Buffer) => {
        const path = join(scratch, `${key.version}.${randomUUID()}`);
        await writeFile(path, bytes);
        return { path, release: () => drop(path) };
      };
      const path = async () => {
        local ??= small ? writeSmall(small.bytes) : objects.local({ ...key, crc32: digests?.crc32 });
        return (await local).path;
      };
      return {
        path,
        digests: async () => digests ?? digestsOf(await path()),
        async release() {
          small?.free();
          await (await local)?.release();
        },
      };
    },
    // The bytes are in their final location once they are stored.
    async keep({ version }) {
      const stored = storing.get(version);
      storing.delete(version);
      await stored;
    },
    async remove(key) {
      // Otherwise the object would be stored after its removal.
      await storing.get(key.version)?.catch(() => {});
      storing.delete(key.version);
      completed.take(key.version)?.small?.free();
      partialDigests.take(key.version)?.stream.end();
      for await (const { name, id } of bucket.uploads(nameOf(key))) await bucket.abortUpload(name, id);
      await bucket.remove((await namesBelow(tailsOf(key.version))).map(({ name }) => name));
      await rm(join(scratch, key.version), { force: true });
    },
    async *keys(before) {
      for await (const { name, startedAt } of bucket.uploads("objects/")) {
        const [, folder, version] = name.split("/");
        if (folder && version && startedAt < before) yield { bucket: folder, version, storedAt: startedAt };
      }
      for await (const { name, modified } of bucket.list("tails/")) {
        const [, version] = name.split("/");
        if (version && modified < before) yield { bucket: "", version, storedAt: modified };
      }
      yield* partsIn(scratch, before);
    },
    removeScratch: (before) => removeScratch(scratch, before),
  };
}
