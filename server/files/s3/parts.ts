import { queue } from "../../threads/queue.ts";

/** The size of every part but the last. The minimum of S3 is 5 MiB. */
export const PART_BYTES = 6 * 1024 * 1024;
/** Parallel parts of one upload. */
const AT_ONCE = 4;
/** Parallel parts of all uploads in this process; further ones wait. */
const turns = queue(8);
/** Waits for a turn; resolves to the function that ends it. */
const takeTurn = () =>
  new Promise<() => void>((taken) => {
    void turns.run(() => new Promise<void>((release) => taken(release)));
  });

/** A stored part of a multipart upload. */
export interface StoredPart {
  number: number;
  etag: string;
  size: number;
}

/** The operations on parts of a bucket. */
interface PartStore {
  beginUpload(name: string): Promise<string>;
  putPart(name: string, id: string, number: number, bytes: Uint8Array, sha256?: string): Promise<StoredPart>;
}

/** The time in milliseconds after which unused memory is freed. */
const IDLE_MS = 10_000;
const spare: Buffer[] = [];
let idle: NodeJS.Timeout | undefined;

/**
 * Takes memory for one part, shared with other threads. Memory is reused: after large allocations the garbage collector
 * scans the whole heap, which takes longer than sending the parts.
 */
const takeMemory = () => spare.pop() ?? Buffer.from(new SharedArrayBuffer(PART_BYTES));

function keepSpare(memory: Buffer) {
  if (spare.length <= AT_ONCE) spare.push(memory);
  idle = idle?.refresh() ?? setTimeout(() => spare.splice(0), IDLE_MS).unref();
}

interface SendOptions {
  /** An unfinished multipart upload, and its stored parts. */
  id?: string | undefined;
  parts?: StoredPart[];
  /** Whether the bytes need more than one part. */
  isLarge?: boolean;
  /** Receives all bytes in order, about `step` at once; `endPart` resolves to the SHA-256 of the ended part in hex. */
  hash?: { step: number; add(bytes: Uint8Array): void; endPart(): Promise<string | undefined> } | undefined;
}

/**
 * Divides bytes into parts of a multipart upload and sends several of them in parallel. The last part is held back,
 * because bytes that fit into one part need no multipart upload. `close` frees the memory.
 */
export function sendParts(store: PartStore, name: string, { id, parts = [], isLarge, hash }: SendOptions = {}) {
  const stored = [...parts];
  let uploadId = id === undefined ? undefined : Promise.resolve(id);
  const begin = () => {
    uploadId ??= store.beginUpload(name);
    // Callers that await it handle the failure; this prevents an unhandled rejection.
    uploadId.catch(() => {});
    return uploadId;
  };
  if (isLarge) void begin();
  let number = parts.length;
  let sentBytes = parts.reduce((sum, { size }) => sum + size, 0);
  let memory: Buffer | undefined;
  let length = 0;
  let hashed = 0;
  const running = new Set<Promise<unknown>>();
  let failure: { error: unknown } | undefined;

  /** Sends the held bytes once another part can be sent. Until then no more bytes are accepted. */
  async function send(): Promise<void> {
    while (running.size >= AT_ONCE) await Promise.race(running);
    const endTurn = await takeTurn();
    if (failure) {
      endTurn();
      throw failure.error;
    }
    const [sent, bytes, sha256] = [memory, received(), endHash()];
    sentBytes += length;
    memory = undefined;
    length = 0;
    number += 1;
    const part = number;
    const upload = begin();
    const put = async () => stored.push(await store.putPart(name, await upload, part, bytes, await sha256));
    const sending = put()
      .then(
        () => sent && keepSpare(sent),
        (error: unknown) => {
          failure ??= { error };
        },
      )
      .finally(() => {
        endTurn();
        running.delete(sending);
      });
    running.add(sending);
  }
  const hashTo = (end: number) => {
    if (memory && end > hashed) hash?.add(memory.subarray(hashed, end));
    hashed = end;
  };
  const endHash = () => {
    hashTo(length);
    hashed = 0;
    return hash?.endPart();
  };
  const received = () => memory?.subarray(0, length) ?? Buffer.alloc(0);
  const settled = async () => void (await Promise.all(running));

  return {
    /** The bytes of the unfinished part. Another `add` or `send` changes them. */
    held: received,
    /** Transfers the held bytes to the caller; `free` frees their memory. */
    take() {
      const [taken, bytes] = [memory, received()];
      memory = undefined;
      length = 0;
      return { bytes, free: () => taken && keepSpare(taken) };
    },
    hasBegun: () => uploadId !== undefined,
    /** Resolves to the SHA-256 of the held bytes, for a caller that stores them as a whole object. */
    endHash,
    /** The number of bytes in parts that were sent or are being sent. */
    sent: () => sentBytes,
    async add(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length; ) {
        if (length === PART_BYTES) await send();
        memory ??= takeMemory();
        const piece = chunk.subarray(at, at + PART_BYTES - length);
        memory.set(piece, length);
        length += piece.length;
        at += piece.length;
        if (hash && length - hashed >= hash.step) hashTo(length);
      }
    },
    send,
    /** Waits until all parts are sent; resolves to the upload and its parts. */
    async finish(): Promise<{ id: string; parts: StoredPart[] } | undefined> {
      await settled();
      if (failure) throw failure.error;
      return uploadId && { id: await uploadId, parts: stored.sort((one, other) => one.number - other.number) };
    },
    /** When this resolves, no part is being sent any more, also after a failure. */
    async close(): Promise<void> {
      await settled();
      await uploadId?.catch(() => {});
      if (memory && !failure) keepSpare(memory);
      memory = undefined;
      length = 0;
    },
    /** The id of the started upload, also after a failure. */
    uploadId: async () => uploadId?.catch(() => undefined),
  };
}
