import { expect, test, vi } from "vitest";
import { gated } from "../../../tests/support/gated.ts";
import {
  add,
  endless,
  expectStates,
  hash,
  idOf,
  memoryStore,
  photo,
  photos,
  queueWith,
  sized,
  states,
  stored,
} from "../../../tests/support/upload-queue.ts";
import type { Stored } from "./duplicates.ts";
import { UploadFailure } from "./upload-failure.ts";
import { REMOVED } from "./upload-transport.ts";

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
  await expect.poll(() => now).toBe(3);
  gate.resolve();
  await expectStates(queue, ...Array(5).fill("stored"));
  expect(most).toBe(3);
});

test("Spec §5: files that are neither photo nor video, or too large, are refused, and the others are stored", async () => {
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
  expect(queue.files.get().map(({ problem }) => problem)).toEqual(["type", "type", "size", "size", undefined]);
});

test("a duplicate file waits for a decision, and is neither sent nor dropped", async () => {
  const there: Stored[] = [{ id: "x", name: "x", size: 9, hash: await hash(photo("x", [7])) }];
  const send = vi.fn(stored);
  const storedLike = vi.fn(async () => there);
  const queue = queueWith({ send, storedLike });
  await add(queue, [photo("a.jpg", [7]), photo("b.jpg", [8]), photo("b-copy.jpg", [8])]);
  await expectStates(queue, "duplicate", "stored", "duplicate");
  expect(send).toHaveBeenCalledOnce();
  queue.addAnyway([idOf(queue, "a.jpg")]);
  queue.remove([idOf(queue, "b-copy.jpg")]);
  await expectStates(queue, "stored", "stored");
  expect(storedLike).toHaveBeenCalledExactlyOnceWith("m1", [9]);
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

test("after a file exceeds the storage, larger ones are not tried and smaller ones are", async () => {
  const sizes: string[] = [];
  const queue = queueWith({
    atOnce: () => 1,
    async send({ name, size }) {
      sizes.push(name);
      if (size > 9) throw new UploadFailure("full");
    },
  });
  await add(queue, [photo("a.jpg", [1, 2, 3]), photo("b.jpg", [1, 2, 3, 4]), photo("c.jpg", [1])]);
  await expectStates(queue, "failed", "failed", "stored");
  expect(sizes).toEqual(["a.jpg", "c.jpg"]);
  expect(queue.files.get()[1]?.problem).toBe("full");
});

test("a file removed during or after its upload leaves no data in the browser or on the server", async () => {
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
  expect(queue.files.get()).toEqual([]);
  await expect.poll(() => store.files.size).toBe(0);
});

test("a file removed while it is checked is not sent, also not after a reload", async () => {
  const store = memoryStore();
  const send = vi.fn(stored);
  const queue = queueWith({ store, send });
  const gate = gated();
  const slow = photo("a.jpg");
  const slice = slow.slice.bind(slow);
  slow.slice = (...range) =>
    Object.assign(slice(...range), { arrayBuffer: () => gate.promise.then(() => slice(...range).arrayBuffer()) });
  const added = add(queue, [slow, photo("b.jpg")]);
  await expectStates(queue, "checking", "checking");
  queue.remove([idOf(queue, "a.jpg")]);
  gate.resolve();
  await added;
  await expectStates(queue, "stored");
  expect(send.mock.calls.map(([{ name }]) => name)).toEqual(["b.jpg"]);
  await expect.poll(() => store.files.size).toBe(0);
});

test("the first photo becomes the cover, and another can be chosen before it is stored", async () => {
  const covers: string[] = [];
  const gate = gated();
  const queue = queueWith({
    send: () => gate.promise,
    afterStored: async ({ asCover, name }) => void (asCover && covers.push(name)),
  });
  await add(queue, [new File(["text"], "notes.txt"), ...photos("a.jpg", "b.jpg")], true);
  expect(queue.files.get().map(({ asCover }) => asCover)).toEqual([false, true, false]);
  queue.chooseCover("m1", idOf(queue, "b.jpg"));
  gate.resolve();
  await expect.poll(() => covers).toEqual(["b.jpg"]);
});

test("five hundred files cause few screen updates", async () => {
  const heard = vi.fn();
  const queue = queueWith();
  queue.files.subscribe(heard);
  await add(queue, photos(...Array.from({ length: 500 }, (_, index) => `${index}.jpg`)));
  await expect.poll(() => new Set(states(queue))).toEqual(new Set(["stored"]));
  expect(heard.mock.calls.length).toBeLessThan(50);
});
