import type { HashReply, HashRequest } from "./hash-worker.ts";

/** SHA-256 of a file's bytes in hex; undefined if it is unreadable. */
export type HashFile = (file: Blob) => Promise<string | undefined>;

/** Hashes files one after another in a worker, so that the page stays responsive. */
export function hashInWorker(): HashFile {
  const requests = new Map<number, (hash: string | undefined) => void>();
  // A cache, because a file is compared with each later group.
  const hashes = new WeakMap<Blob, Promise<string | undefined>>();
  let worker: Worker | undefined;
  let count = 0;

  const answer = (id: number, hash: string | undefined) => {
    requests.get(id)?.(hash);
    requests.delete(id);
    if (requests.size > 0) return;
    worker?.terminate();
    worker = undefined;
  };
  const start = () => {
    const started = new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<HashReply>) => answer(data.id, data.hash));
    // If the worker fails, no duplicates are found, and every file is uploaded.
    started.addEventListener("error", () => {
      for (const id of [...requests.keys()]) answer(id, undefined);
    });
    return started;
  };
  const ask: HashFile = (file) =>
    new Promise((resolve) => {
      const request: HashRequest = { id: ++count, file };
      requests.set(request.id, resolve);
      worker ??= start();
      worker.postMessage(request);
    });
  return (file) => {
    const hash = hashes.get(file) ?? ask(file);
    hashes.set(file, hash);
    return hash;
  };
}
