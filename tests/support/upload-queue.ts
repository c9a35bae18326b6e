import { createHash } from "node:crypto";
import { expect } from "vitest";
import { RetryBackoff } from "../../web/media/uploads/retry-backoff.ts";
import { UploadQueue, type UploadQueueDeps } from "../../web/media/uploads/upload-queue.ts";
import type { KeptFile, UploadStore } from "../../web/media/uploads/upload-store.ts";
import type { Transport } from "../../web/media/uploads/upload-transport.ts";

const JPEG = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4];
let different = 0;
/** A photo with unique bytes, or with these. */
export const photo = (name: string, ending = [different++ % 256, different >> 8]) =>
  new File([Uint8Array.from([...JPEG, ...ending])], name, { lastModified: 1 });
export const photos = (...names: string[]) => names.map((name) => photo(name));
export const sized = (file: File, size: number) => Object.defineProperty(file, "size", { value: size });
export const hash = async (file: Blob) =>
  createHash("sha256")
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest("hex");

export function memoryStore(room = true): UploadStore & { files: Map<string, KeptFile> } {
  const storedFiles = new Map<string, KeptFile>();
  return {
    files: storedFiles,
    async put(files) {
      for (const { upload, bytes } of files)
        storedFiles.set(upload.id, { upload: { ...upload }, bytes: room ? bytes : undefined });
      return room;
    },
    async change(id, changes) {
      const file = storedFiles.get(id);
      if (file) storedFiles.set(id, { ...file, upload: { ...file.upload, ...changes } });
    },
    get: async (id) => structuredClone(storedFiles.get(id)?.upload),
    remove: async (id) => void storedFiles.delete(id),
    all: async (who) =>
      [...storedFiles.values()].flatMap(({ upload, bytes }) =>
        upload.who === who ? { upload: { ...upload }, bytes } : [],
      ),
    async clear(who) {
      for (const { upload } of storedFiles.values()) if (upload.who === who) storedFiles.delete(upload.id);
    },
  };
}

/** Locks that several tabs of a browser share. */
export function sharedLocks(): LockManager {
  const locks = new Map<string, Promise<unknown>>();
  const request = async (name: string, options: LockOptions, work: LockGrantedCallback<unknown>) => {
    if (locks.has(name) && options.ifAvailable) return work(null);
    while (locks.has(name)) await locks.get(name);
    const working = Promise.resolve(work({ name, mode: "exclusive" }));
    locks.set(
      name,
      working.catch(() => {}).then(() => locks.delete(name)),
    );
    return working;
  };
  return { request, query: async () => ({}) } as unknown as LockManager;
}

export const stored: Transport["send"] = async (upload, _bytes, { onProgress }) => onProgress(upload.size);
/** An upload that ends only when it is aborted. */
export const endless: Transport["send"] = (_upload, _bytes, { signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export function queueWith(deps: Partial<UploadQueueDeps> = {}) {
  return new UploadQueue({
    store: memoryStore(),
    send: stored,
    drop: async () => {},
    hash,
    storedLike: async () => [],
    afterStored: async () => {},
    atOnce: () => 3,
    backoff: new RetryBackoff(async () => {}),
    ...deps,
  });
}

export const add = (queue: UploadQueue, files: File[], firstAsCover = false) =>
  queue.add({ who: "ada", memoryId: "m1", files, firstAsCover });
export const states = (queue: UploadQueue) => queue.files.get().map(({ state }) => state);
export const idOf = (queue: UploadQueue, name: string) =>
  queue.files.get().find((file) => file.name === name)?.id ?? "";
export const expectStates = (queue: UploadQueue, ...expected: string[]) =>
  expect.poll(() => states(queue)).toEqual(expected);
