import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { Patience } from "./patience.ts";
import type { Stored } from "./twins.ts";
import { UploadFailure } from "./upload-failure.ts";
import { UploadQueue, type UploadQueueDeps } from "./upload-queue.ts";
import type { KeptFile, UploadStore } from "./upload-store.ts";
import { REMOVED, type Transport } from "./upload-transport.ts";

const JPEG = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4];
let different = 0;
/** A photo with bytes of its own, or with these. */
const photo = (name: string, ending = [different++ % 256, different >> 8]) =>
  new File([Uint8Array.from([...JPEG, ...ending])], name, { lastModified: 1 });
const photos = (...names: string[]) => names.map((name) => photo(name));
const sized = (file: File, size: number) => Object.defineProperty(file, "size", { value: size });
const hash = async (file: Blob) =>
  createHash("sha256")
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest("hex");

function memoryStore(room = true): UploadStore & { kept: Map<string, KeptFile> } {
  const kept = new Map<string, KeptFile>();
  return {
    kept,
    async put(files) {
      for (const { upload, bytes } of files)
        kept.set(upload.id, { upload: { ...upload }, bytes: room ? bytes : undefined });
      return room;
    },
    async change(id, changes) {
      const found = kept.get(id);
      if (found) kept.set(id, { ...found, upload: { ...found.upload, ...changes } });
    },
    has: async (id) => kept.has(id),
    remove: async (id) => void kept.delete(id),
    all: async (who) => [...kept.values()].filter(({ upload }) => upload.who === who),
    async clear(who) {
      for (const { upload } of kept.values()) if (upload.who === who) kept.delete(upload.id);
    },
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

const stored: Transport["send"] = async (upload, _bytes, { onProgress }) => onProgress(upload.size);
/** Never arrives; ends when it is told to. */
const endless: Transport["send"] = (_upload, _bytes, { signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

function queueWith(deps: Partial<UploadQueueDeps> = {}) {
  return new UploadQueue({
    store: memoryStore(),
    send: stored,
    drop: async () => {},
    hash,
    storedLike: async () => [],
    afterStored: async () => {},
    atOnce: () => 3,
    patience: new Patience(async () => {}),
    ...deps,
  });
}

const add = (queue: UploadQueue, files: File[], firstAsCover = false) =>
  queue.add({ who: "ada", memoryId: "m1", files, firstAsCover });
const states = (queue: UploadQueue) => queue.snapshot().map(({ state }) => state);
const idOf = (queue: UploadQueue, name: string) => queue.snapshot().find((file) => file.name === name)?.id ?? "";
const expectStates = (queue: UploadQueue, ...expected: string[]) =>
  vi.waitFor(() => expect(states(queue)).toEqual(expected));

test("photos are sent, three at once, until all are stored", async () => {
  let [now, most] = [0, 0];
  const gate = gated();
  const queue = queueWith({
    async send() {
      most = Math.max(most, ++now);
      await gate.promise;
      now--;
    },
  });
  await add(queue, photos("a", "b", "c", "d", "e"));
  await vi.waitFor(() => expect(now).toBe(3));
  gate.resolve();
  await expectStates(queue, ...Array(5).fill("stored"));
  expect(most).toBe(3);
});

test("Spec §5: what is neither photo nor video, or too large, is refused beside others that are unharmed", async () => {
  const queue = queueWith();
  const film = new File([Uint8Array.from([0, 0, 0, 24, ...Buffer.from("ftypisom")])], "film.mp4");
  await add(queue, [
    new File(["<svg/>"], "drawing.jpg"),
    new File(["MZ"], "program.jpg"),
    sized(photo("large.jpg"), 50 * 1024 ** 2 + 1),
    sized(film, 2 * 1024 ** 3 + 1),
    photo("good.jpg"),
  ]);
  await expectStates(queue, "failed", "failed", "failed", "failed", "stored");
  expect(queue.snapshot().map(({ problem }) => problem)).toEqual(["type", "type", "size", "size", undefined]);
});

test("the same file twice is noticed and offered: nothing is sent twice unasked, and nothing is dropped", async () => {
  const there: Stored[] = [{ id: "x", name: "x", size: 9, hash: await hash(photo("x", [7])) }];
  const send = vi.fn(stored);
  const storedLike = vi.fn(async () => there);
  const queue = queueWith({ send, storedLike });
  await add(queue, [photo("a.jpg", [7]), photo("b.jpg", [8]), photo("b-copy.jpg", [8])]);
  await expectStates(queue, "twin", "stored", "twin");
  expect(send).toHaveBeenCalledOnce();
  queue.addAnyway([idOf(queue, "a.jpg")]);
  queue.remove([idOf(queue, "b-copy.jpg")]);
  await expectStates(queue, "stored", "stored");
  expect(storedLike).toHaveBeenCalledExactlyOnceWith("m1", [9]);
});

test("until the memory can be asked nothing is sent that may be there already", async () => {
  const network = gated();
  const send = vi.fn(stored);
  const queue = queueWith({ send, storedLike: () => network.promise.then(() => []) });
  await add(queue, photos("a.jpg"));
  expect(states(queue)).toEqual(["checking"]);
  network.resolve();
  await expectStates(queue, "stored");
});

test("after a reload the next page goes on where the last one stopped", async () => {
  const store = memoryStore();
  const before = queueWith({
    store,
    async send(_upload, _bytes, { onAddress }) {
      onAddress("/storage/v1/upload/resumable/1");
      await new Promise(() => {});
    },
  });
  await add(before, photos("a.jpg"));
  await vi.waitFor(() => expect([...store.kept.values()][0]?.upload.url).toBeDefined());

  const sent: (string | undefined)[] = [];
  const after = queueWith({ store, send: async ({ url }) => void sent.push(url) });
  await after.resume("ada");
  await expectStates(after, "stored");
  expect(sent).toEqual(["/storage/v1/upload/resumable/1"]);
  expect(store.kept.size).toBe(0);
});

test("a file whose bytes could not be kept is asked for after a reload, and known when it is chosen again", async () => {
  const store = memoryStore(false);
  const film = photo("film.mp4", [1, 2, 3]);
  const before = queueWith({ store, send: endless });
  await add(before, [film]);
  await expectStates(before, "uploading");
  expect(before.losesBytes()).toBe(true);

  const after = queueWith({ store });
  await after.resume("ada");
  await expectStates(after, "absent");
  const id = idOf(after, "film.mp4");
  expect(await after.chooseAgain(id, photo("film.mp4", [1, 2, 3, 4]))).toBe(false);
  expect(await after.chooseAgain(id, film)).toBe(true);
  await expectStates(after, "stored");
});

test("files of somebody else on the same computer are left alone", async () => {
  const store = memoryStore();
  await add(queueWith({ store, send: endless }), photos("a.jpg"));
  const queue = queueWith({ store });
  await queue.resume("bob");
  expect(queue.snapshot()).toEqual([]);
});

test("a lost network is waited out, and nothing fails by it", async () => {
  let attempts = 0;
  const queue = queueWith({
    async send() {
      if (++attempts < 4) throw new UploadFailure("network");
    },
  });
  await add(queue, photos("a.jpg"));
  await expectStates(queue, "stored");
  expect(attempts).toBe(4);
});

test("while offline nothing is sent; once online again it is", async () => {
  const send = vi.fn(stored);
  let atOnce = 0;
  const queue = queueWith({ send, atOnce: () => atOnce });
  await add(queue, photos("a.jpg"));
  await expectStates(queue, "waiting");
  expect(send).not.toHaveBeenCalled();
  atOnce = 3;
  queue.wake();
  await expectStates(queue, "stored");
});

test("paused files rest, also after a reload, and go on when they are told to", async () => {
  const store = memoryStore();
  const queue = queueWith({ store, send: endless });
  await add(queue, photos("a.jpg", "b.jpg"));
  await expectStates(queue, "uploading", "uploading");
  queue.pause(queue.snapshot().map(({ id }) => id));
  expect(states(queue)).toEqual(["paused", "paused"]);

  const after = queueWith({ store });
  await after.resume("ada");
  expect(states(after)).toEqual(["paused", "paused"]);
  after.goOn([idOf(after, "b.jpg")]);
  await expectStates(after, "paused", "stored");
});

test("a failed file can be tried again, or taken out", async () => {
  let broken = true;
  const queue = queueWith({
    async send() {
      if (broken) throw new UploadFailure("failed");
    },
  });
  await add(queue, photos("a.jpg", "b.jpg"));
  await expectStates(queue, "failed", "failed");
  broken = false;
  queue.retry([idOf(queue, "a.jpg")]);
  queue.remove([idOf(queue, "b.jpg")]);
  await expectStates(queue, "stored");
});

test("where a file finds no room, larger ones need not ask, smaller ones may", async () => {
  const asked: string[] = [];
  const queue = queueWith({
    atOnce: () => 1,
    async send({ name, size }) {
      asked.push(name);
      if (size > 9) throw new UploadFailure("full");
    },
  });
  await add(queue, [photo("a.jpg", [1, 2, 3]), photo("b.jpg", [1, 2, 3, 4]), photo("c.jpg", [1])]);
  await expectStates(queue, "failed", "failed", "stored");
  expect(asked).toEqual(["a.jpg", "c.jpg"]);
  expect(queue.snapshot()[1]?.problem).toBe("full");
});

test("a file taken out while it is being sent, or afterwards, leaves nothing here or at the server", async () => {
  const store = memoryStore();
  const dropped: string[] = [];
  let reason: unknown;
  const queue = queueWith({
    store,
    drop: async (url) => void dropped.push(url),
    send(upload, bytes, options) {
      options.onAddress(`/uploads/${upload.name}`);
      options.signal.addEventListener("abort", () => {
        reason = options.signal.reason;
      });
      return endless(upload, bytes, options);
    },
  });
  await add(queue, photos("a.jpg", "b.jpg"));
  await expectStates(queue, "uploading", "uploading");
  queue.pause([idOf(queue, "b.jpg")]);
  queue.remove([idOf(queue, "b.jpg")]);
  expect(dropped).toEqual(["/uploads/b.jpg"]);
  queue.remove([idOf(queue, "a.jpg")]);
  expect(reason).toBe(REMOVED);
  expect(queue.snapshot()).toEqual([]);
  await vi.waitFor(() => expect(store.kept.size).toBe(0));
});

test("signing out ends every upload and leaves no file behind", async () => {
  const store = memoryStore();
  const queue = queueWith({ store, send: endless });
  await add(queue, photos("a.jpg", "b.jpg"));
  await queue.cancelAll();
  expect(queue.snapshot()).toEqual([]);
  expect(store.kept.size).toBe(0);
});

test("two tabs never send the same file twice", async () => {
  const [store, locks] = [memoryStore(), sharedLocks()];
  const gate = gated();
  const send = vi.fn(() => gate.promise);
  const first = queueWith({ store, locks, send });
  await add(first, photos("a.jpg"));
  await expectStates(first, "uploading");
  const second = queueWith({ store, locks, send });
  await second.resume("ada");
  await expectStates(second, "elsewhere");
  gate.resolve();
  await expectStates(second, "stored");
  expect(send).toHaveBeenCalledOnce();
});

test("the first photo becomes the cover, and another can be chosen before it is stored", async () => {
  const covers: string[] = [];
  const gate = gated();
  const queue = queueWith({
    send: () => gate.promise,
    afterStored: async ({ asCover, name }) => void (asCover && covers.push(name)),
  });
  await add(queue, [new File(["text"], "notes.txt"), ...photos("a.jpg", "b.jpg")], true);
  expect(queue.snapshot().map(({ asCover }) => asCover)).toEqual([false, true, false]);
  queue.chooseCover("m1", idOf(queue, "b.jpg"));
  gate.resolve();
  await vi.waitFor(() => expect(covers).toEqual(["b.jpg"]));
});

test("five hundred files are told to screens in a few changes, not in thousands", async () => {
  const heard = vi.fn();
  const queue = queueWith();
  queue.subscribe(heard);
  await add(queue, photos(...Array.from({ length: 500 }, (_, index) => `${index}.jpg`)));
  await vi.waitFor(() => expect(new Set(states(queue))).toEqual(new Set(["stored"])));
  expect(heard.mock.calls.length).toBeLessThan(50);
});
