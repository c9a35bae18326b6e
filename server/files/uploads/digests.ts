import type { Worker } from "node:worker_threads";
import { startThread } from "../../threads/start-thread.ts";
import type { DigestAnswer, DigestRequest } from "./digest-worker.ts";
import { Digesting, type Digests } from "./digesting.ts";

/** A stream of so few bytes is digested here: messages to a thread, and its waking, would take longer. */
const FEW_BYTES = 2 * 1024 * 1024;

let thread: Worker | undefined;
const waiting = new Map<number, { resolve(answer: DigestAnswer): void; reject(error: Error): void }>();
let asked = 0;
let streams = 0;

/**
 * Has the first `upTo` bytes of a file that is being written read behind its writer, so that little is left to read when
 * somebody asks for its digests. What has been read once is never to change.
 */
export function readBehind(path: string, upTo: number): void {
  tell({ path, upTo });
}

/** The digests of a file whose bytes are all there; rejects where it can not be read. */
export async function digestsOf(path: string): Promise<Digests> {
  const { digests, wrong } = await ask((number) => ({ path, asked: number }));
  if (!digests) throw wrong ?? new Error("The file could not be read");
  return { ...digests, head: Buffer.from(digests.head) };
}

/** Digests bytes that pass, and parts of them. */
export interface StreamDigests {
  /** How many bytes are best added at once, while others come. */
  step: number;
  /** The next bytes. Those in a `SharedArrayBuffer` are not copied, and stay as they are until their part has ended. */
  add(bytes: Uint8Array): void;
  /**
   * Resolves to the SHA-256 of the bytes since the last part in hex, and to the digests of all so far; undefined where the
   * thread ended meanwhile.
   */
  endPart(): Promise<{ part: string; digests: Digests } | undefined>;
  /** Forgets the bytes since the last part, which are to come again. */
  rewind(): void;
  /** Frees what is remembered of them. */
  end(): void;
}

/** `size` is how many bytes there are to be, where it is known. */
export function digestStream(size = Number.POSITIVE_INFINITY): StreamDigests {
  return size <= FEW_BYTES ? digestHere() : digestElsewhere();
}

/** For bytes that make one part. */
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
      tell({ stream, at, bytes });
      at += bytes.length;
    },
    async endPart() {
      ended = at;
      const { part, digests } = await ask((number) => ({ stream, at, asked: number })).catch(
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
    asked += 1;
    waiting.set(asked, { resolve, reject });
    tell(requestOf(asked));
  });

/** Hashing takes about as long as everything else about an upload: a thread of its own leaves this one to the network. */
function tell(message: DigestRequest): void {
  thread ??= start();
  if (waiting.size > 0) thread.ref();
  thread.postMessage(message);
}

function start(): Worker {
  const worker = startThread("digest-worker", import.meta.url);
  worker.unref();
  worker.on("message", (answer: DigestAnswer) => {
    const asker = waiting.get(answer.asked);
    waiting.delete(answer.asked);
    if (waiting.size === 0) worker.unref();
    asker?.resolve(answer);
  });
  // Anyone who comes next gets a new one, which reads from the beginning; it learns of an error, and then that it ended.
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
