import { expect, test, vi } from "vitest";
import { UploadFailure } from "./upload-failure.ts";
import { UploadQueue, type UploadQueueDeps } from "./upload-queue.ts";
import type { KeptUpload, UploadStore } from "./upload-store.ts";
import type { Send } from "./upload-transport.ts";

const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);
const photo = (name: string, lastModified = 1) => new File([JPEG], name, { lastModified });

function memoryStore(): UploadStore & { kept: Map<string, KeptUpload> } {
  const kept = new Map<string, KeptUpload>();
  return {
    kept,
    put: async (upload) => void kept.set(upload.id, { ...upload }),
    change: async (id, changes) => {
      const found = kept.get(id);
      if (found) kept.set(id, { ...found, ...changes });
    },
    has: async (id) => kept.has(id),
    remove: async (id) => void kept.delete(id),
    all: async (userId) => [...kept.values()].filter((upload) => upload.userId === userId),
    clear: async () => kept.clear(),
  };
}

/** Locks as several tabs of one browser share them. */
function sharedLocks(): LockManager {
  const held = new Map<string, Promise<unknown>>();
  const request = async (name: string, options: LockOptions, work: LockGrantedCallback<unknown>) => {
    if (held.has(name) && options.ifAvailable) return work(null);
    while (held.has(name)) await held.get(name);
    const working = Promise.resolve(work({ name, mode: "exclusive" }));
    held.set(
      name,
      working.catch(() => {}).then(() => held.delete(name)),
    );
    return working;
  };
  return { request, query: async () => ({}) } as unknown as LockManager;
}

/** A promise to be resolved from outside. */
function gated() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const stored: Send = async (upload, { onProgress }) => onProgress(upload.file.size);

function queueWith(deps: Partial<UploadQueueDeps> = {}) {
  return new UploadQueue({
    store: memoryStore(),
    send: stored,
    afterStored: async () => {},
    pause: async () => {},
    ...deps,
  });
}

const states = (queue: UploadQueue) => queue.snapshot().map(({ name, state, problem }) => ({ name, state, problem }));

test("photos are sent, three at once, until all are stored", async () => {
  let now = 0;
  let most = 0;
  const gate = gated();
  const queue = queueWith({
    send: async () => {
      most = Math.max(most, ++now);
      await gate.promise;
      now--;
    },
  });
  await queue.add(
    "ada",
    "m1",
    ["a", "b", "c", "d", "e"].map((name) => photo(name)),
  );
  await vi.waitFor(() => expect(now).toBe(3));
  gate.resolve();
  await vi.waitFor(() => expect(queue.snapshot().every(({ state }) => state === "stored")).toBe(true));
  expect(most).toBe(3);
});

test("Spec §5: a file that is no photo, or too large, is refused beside others that are unharmed", async () => {
  const queue = queueWith();
  const large = photo("large.jpg");
  Object.defineProperty(large, "size", { value: 50 * 1024 * 1024 + 1 });
  await queue.add("ada", "m1", [new File(["<svg/>"], "drawing.jpg"), large, photo("good.jpg")]);
  await vi.waitFor(() =>
    expect(states(queue)).toEqual([
      { name: "drawing.jpg", state: "failed", problem: "type" },
      { name: "large.jpg", state: "failed", problem: "size" },
      { name: "good.jpg", state: "stored", problem: undefined },
    ]),
  );
});

test("the same file dropped twice is taken once", async () => {
  const queue = queueWith();
  expect(await queue.add("ada", "m1", [photo("a.jpg")])).toEqual({ known: 0 });
  expect(await queue.add("ada", "m1", [photo("a.jpg"), photo("a.jpg", 2)])).toEqual({ known: 1 });
  expect(queue.snapshot()).toHaveLength(2);
});

test("after a reload the next page goes on where the last one stopped", async () => {
  const store = memoryStore();
  const before = queueWith({
    store,
    send: async (_upload, { onAddress }) => {
      onAddress("/storage/v1/upload/resumable/1");
      await new Promise(() => {});
    },
  });
  await before.add("ada", "m1", [photo("a.jpg")]);
  await vi.waitFor(() => expect([...store.kept.values()][0]?.url).toBeDefined());

  const sent: (string | undefined)[] = [];
  const after = queueWith({ store, send: async (upload) => void sent.push(upload.url) });
  await after.resume("ada");
  await vi.waitFor(() => expect(states(after)).toEqual([{ name: "a.jpg", state: "stored", problem: undefined }]));
  expect(sent).toEqual(["/storage/v1/upload/resumable/1"]);
  expect(store.kept.size).toBe(0);
});

test("files of somebody else on the same computer are left alone", async () => {
  const store = memoryStore();
  await queueWith({ store, send: () => new Promise(() => {}) }).add("ada", "m1", [photo("a.jpg")]);
  const queue = queueWith({ store });
  await queue.resume("bob");
  expect(queue.snapshot()).toEqual([]);
});

test("a lost network is waited out, and nothing fails by it", async () => {
  let attempts = 0;
  const queue = queueWith({
    send: async () => {
      if (++attempts < 4) throw new UploadFailure("network");
    },
  });
  await queue.add("ada", "m1", [photo("a.jpg")]);
  await vi.waitFor(() => expect(states(queue)[0]?.state).toBe("stored"));
  expect(attempts).toBe(4);
});

test("while offline nothing is sent; once online again it is", async () => {
  const send = vi.fn(stored);
  const queue = queueWith({ send });
  queue.setOnline(false);
  await queue.add("ada", "m1", [photo("a.jpg")]);
  expect(send).not.toHaveBeenCalled();
  queue.setOnline(true);
  await vi.waitFor(() => expect(states(queue)[0]?.state).toBe("stored"));
});

test("a failed file can be tried again, or taken out", async () => {
  let broken = true;
  const queue = queueWith({
    send: async () => {
      if (broken) throw new UploadFailure("failed");
    },
  });
  await queue.add("ada", "m1", [photo("a.jpg"), photo("b.jpg")]);
  await vi.waitFor(() => expect(states(queue).map(({ state }) => state)).toEqual(["failed", "failed"]));
  broken = false;
  const [a, b] = queue.snapshot();
  queue.retry(a?.id ?? "");
  queue.remove(b?.id ?? "");
  await vi.waitFor(() => expect(states(queue)).toEqual([{ name: "a.jpg", state: "stored", problem: undefined }]));
});

test("a file taken out while it is being sent is stopped and forgotten", async () => {
  const store = memoryStore();
  let stopped = false;
  const queue = queueWith({
    store,
    send: (_upload, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          stopped = true;
          reject(signal.reason);
        });
      }),
  });
  await queue.add("ada", "m1", [photo("a.jpg")]);
  await vi.waitFor(() => expect(states(queue)[0]?.state).toBe("uploading"));
  queue.remove(queue.snapshot()[0]?.id ?? "");
  await vi.waitFor(() => expect(queue.snapshot()).toEqual([]));
  expect(stopped).toBe(true);
  expect(store.kept.size).toBe(0);
});

test("signing out ends every upload and leaves no file behind", async () => {
  const store = memoryStore();
  const queue = queueWith({ store, send: () => new Promise(() => {}) });
  await queue.add("ada", "m1", [photo("a.jpg"), photo("b.jpg")]);
  await queue.cancelAll();
  expect(queue.snapshot()).toEqual([]);
  expect(store.kept.size).toBe(0);
});

test("two tabs never send the same file twice", async () => {
  const [store, locks] = [memoryStore(), sharedLocks()];
  const gate = gated();
  let sends = 0;
  const send: Send = async () => {
    sends++;
    await gate.promise;
  };
  const first = queueWith({ store, locks, send });
  await first.add("ada", "m1", [photo("a.jpg")]);
  await vi.waitFor(() => expect(states(first)[0]?.state).toBe("uploading"));
  const second = queueWith({ store, locks, send });
  await second.resume("ada");
  await vi.waitFor(() => expect(states(second)[0]?.state).toBe("elsewhere"));
  gate.resolve();
  await vi.waitFor(() => expect(states(second)[0]?.state).toBe("stored"));
  expect(sends).toBe(1);
});

test("the first photo becomes the cover, and another can be chosen before it is stored", async () => {
  const covers: string[] = [];
  const gate = gated();
  const queue = queueWith({
    send: () => gate.promise,
    afterStored: async (upload) => {
      if (upload.asCover) covers.push(upload.name);
    },
  });
  await queue.add("ada", "m1", [new File(["text"], "notes.txt"), photo("a.jpg"), photo("b.jpg")], true);
  expect(queue.snapshot().map(({ asCover }) => asCover)).toEqual([false, true, false]);
  queue.chooseCover("m1", queue.snapshot()[2]?.id);
  gate.resolve();
  await vi.waitFor(() => expect(covers).toEqual(["b.jpg"]));
});
