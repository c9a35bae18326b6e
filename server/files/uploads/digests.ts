import type { Worker } from "node:worker_threads";
import { startThread } from "../../threads/start-thread.ts";
import type { DigestAnswer, DigestRequest } from "./digest-worker.ts";
import { Digesting, type Digests } from "./digesting.ts";

/** The maximum size of a stream to digest in this thread: messaging and waking the worker would take longer. */
const FEW_BYTES = 2 * 1024 * 1024;

let thread: Worker | undefined;
const waiting = new Map<number, { resolve(answer: DigestAnswer): void; reject(error: Error): void }>();
let requestId = 0;
let streams = 0;

/**
 * Begins to digest the first `upTo` bytes of a file while it is written, so that little remains at the end. The bytes
 * must not change afterwards.
 */
export function readBehind(path: string, upTo: number): void {
  send({ path, upTo });
}

/** The digests of a complete file; rejects if it cannot be read. */
export async function digestsOf(path: string): Promise<Digests> {
  const { digests, wrong } = await ask((number) => ({ path, requestId: number }));
  if (!digests) throw wrong ?? new Error("The file could not be read");
  return { ...digests, head: Buffer.from(digests.head) };
}

/** Digests a stream and its parts. */
export interface StreamDigests {
  /** The best number of bytes to add at once. */
  step: number;
  /** Adds bytes. A `SharedArrayBuffer` is not copied, so it must not change until its part has ended. */
  add(bytes: Uint8Array): void;
  /** Resolves to the part's SHA-256 in hex, and the digests of all bytes so far; undefined if the thread has ended. */
  endPart(): Promise<{ part: string; digests: Digests } | undefined>;
  /** Forgets the bytes since the last part; they will be added again. */
  rewind(): void;
  /** Frees its memory. */
  end(): void;
}

/** Begins to digest a stream. `size` is its total number of bytes, if known. */
export function digestStream(size = Number.POSITIVE_INFINITY): StreamDigests {
  return size <= FEW_BYTES ? digestHere() : digestElsewhere();
}

/** A digest in this thread, for streams of one part. */
function digestHere(): StreamDigests {
  let digesting = new Digesting();
  return {
    step: 64 * 1024,
    add: (bytes) => digesting.add(bytes),
    async endPart() {
      const digests = digesting.digests();
      return { part: digests.sha256, digests };
    },
    rewind() {
      digesting = new Digesting();
    },
    end: () => {},
  };
}

function digestElsewhere(): StreamDigests {
  streams += 1;
  const stream = streams;
  let at = 0;
  let ended = 0;
  return {
    step: 512 * 1024,
    add(bytes) {
      send({ stream, at, bytes });
      at += bytes.length;
    },
    async endPart() {
      ended = at;
      const { part, digests } = await ask((number) => ({ stream, at, requestId: number })).catch(
        () => ({}) as DigestAnswer,
      );
      return digests && { part: part ?? "", digests: { ...digests, head: Buffer.from(digests.head) } };
    },
    rewind() {
      at = ended;
      thread?.postMessage({ stream, rewindTo: ended } satisfies DigestRequest);
    },
    end: () => thread?.postMessage({ stream } satisfies DigestRequest),
  };
}

const ask = (requestOf: (number: number) => DigestRequest) =>
  new Promise<DigestAnswer>((resolve, reject) => {
    requestId += 1;
    waiting.set(requestId, { resolve, reject });
    send(requestOf(requestId));
  });

/** Sends a message to the digest thread. Hashing takes as long as the rest of an upload, so it has its own thread. */
function send(message: DigestRequest): void {
  thread ??= start();
  if (waiting.size > 0) thread.ref();
  thread.postMessage(message);
}

function start(): Worker {
  const worker = startThread("digest-worker", import.meta.url);
  worker.unref();
  worker.on("message", (answer: DigestAnswer) => {
    const asker = waiting.get(answer.requestId);
    waiting.delete(answer.requestId);
    if (waiting.size === 0) worker.unref();
    asker?.resolve(answer);
  });
  // A failed thread rejects its requests. The next request starts a new thread, which reads files from their beginning.
  // Both an error and the exit may call this.
  const end = (error: Error) => {
    if (thread !== worker) return;
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", end);
  worker.on("exit", () => end(new Error("The thread that reads files ended")));
  return worker;
}
