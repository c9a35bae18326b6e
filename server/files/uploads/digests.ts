import type { Worker } from "node:worker_threads";
import { startThread } from "../../threads/start-thread.ts";
import type { DigestAnswer, DigestRequest } from "./digest-worker.ts";

/** What is known of a file once all of its bytes have been seen. */
export interface Digests {
  size: number;
  /** In hex. */
  sha256: string;
  /** Unsigned. */
  crc32: number;
  /** Its beginning, which tells its type. */
  head: Buffer;
}

let thread: Worker | undefined;
const waiting = new Map<number, { resolve(digests: Digests): void; reject(error: Error): void }>();
let asked = 0;

/**
 * Has the first `upTo` bytes of a file that is being written read behind its writer, so that little is left to read when
 * somebody asks for its digests. What has been read once is never to change.
 */
export function readBehind(path: string, upTo: number): void {
  tell({ path, upTo });
}

/** The digests of a file whose bytes are all there; rejects where it can not be read. */
export function digestsOf(path: string): Promise<Digests> {
  return new Promise((resolve, reject) => {
    asked += 1;
    waiting.set(asked, { resolve, reject });
    tell({ path, whole: asked });
  });
}

/** Hashing takes about as long as everything else about an upload: a thread of its own leaves this one to the network. */
function tell(message: DigestRequest): void {
  thread ??= start();
  if (waiting.size > 0) thread.ref();
  thread.postMessage(message);
}

function start(): Worker {
  const worker = startThread("digest-worker", import.meta.url);
  worker.unref();
  worker.on("message", ({ whole, digests, wrong }: DigestAnswer) => {
    const asker = waiting.get(whole);
    waiting.delete(whole);
    if (waiting.size === 0) worker.unref();
    if (digests) asker?.resolve({ ...digests, head: Buffer.from(digests.head) });
    else asker?.reject(wrong ?? new Error("The file could not be read"));
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
