import type { HashReply, HashRequest } from "./hash-worker.ts";

/** SHA-256 of a file's bytes in hex; undefined where it can not be read. */
export type HashFile = (file: Blob) => Promise<string | undefined>;

/** Hashes files one after another away from the page's own thread, which stays free for its person. */
export function hashInWorker(): HashFile {
  const asked = new Map<number, (hash: string | undefined) => void>();
  // A file is compared with every group that comes after it.
  const known = new WeakMap<Blob, Promise<string | undefined>>();
  let worker: Worker | undefined;
  let count = 0;

  const answer = (id: number, hash: string | undefined) => {
    asked.get(id)?.(hash);
    asked.delete(id);
    if (asked.size > 0) return;
    worker?.terminate();
    worker = undefined;
  };
  const start = () => {
    const started = new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<HashReply>) => answer(data.id, data.hash));
    // Without the worker nothing is known to be there twice, and everything is still uploaded.
    started.addEventListener("error", () => {
      for (const id of [...asked.keys()]) answer(id, undefined);
    });
    return started;
  };
  const ask: HashFile = (file) =>
    new Promise((resolve) => {
      const request: HashRequest = { id: ++count, file };
      asked.set(request.id, resolve);
      worker ??= start();
      worker.postMessage(request);
    });
  return (file) => {
    const hash = known.get(file) ?? ask(file);
    known.set(file, hash);
    return hash;
  };
}
