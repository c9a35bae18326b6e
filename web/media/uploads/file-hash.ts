import type { HashReply, HashRequest } from "./hash-worker.ts";

/** SHA-256 of a file's bytes in hex; undefined if it is unreadable. */
export type HashFile = (file: Blob) => Promise<string | undefined>;

/** Hashes files one after another in a worker, so that the page stays responsive. */
export function hashInWorker(): HashFile {
  const asked = new Map<number, (hash: string | undefined) => void>();
  // A cache, because a file is compared with each later group.
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
    // If the worker fails, no duplicates are found, and every file is uploaded.
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
