import { expect, test, vi } from "vitest";
import { gated } from "../../../tests/support/gated.ts";
import {
  add,
  endless,
  expectStates,
  idOf,
  memoryStore,
  photo,
  photos,
  queueWith,
  states,
  stored,
} from "../../../tests/support/upload-queue.ts";
import { UploadFailure } from "./upload-failure.ts";

test("a possible duplicate is not sent until the memory's files can be read", async () => {
  const network = gated();
  const send = vi.fn(stored);
  const queue = queueWith({ send, storedLike: () => network.promise.then(() => []) });
  await add(queue, photos("a.jpg"));
  expect(states(queue)).toEqual(["checking"]);
  network.resolve();
  await expectStates(queue, "stored");
});

test("an upload resumes after a reload", async () => {
  const store = memoryStore();
  const before = queueWith({
    store,
    async send(_upload, _bytes, { onAddress }) {
      onAddress("/storage/v1/upload/resumable/1");
      await new Promise(() => {});
    },
  });
  await add(before, photos("a.jpg"));
  await expect.poll(() => [...store.files.values()][0]?.upload.url).toBeDefined();

  const sent: (string | undefined)[] = [];
  const after = queueWith({ store, send: async ({ url }) => void sent.push(url) });
  await after.restore("ada");
  await expectStates(after, "stored");
  expect(sent).toEqual(["/storage/v1/upload/resumable/1"]);
  expect(store.files.size).toBe(0);
});

test("a file that could not be stored locally is requested after a reload and recognised when chosen again", async () => {
  const store = memoryStore(false);
  const film = photo("film.mp4", [1, 2, 3]);
  const before = queueWith({ store, send: endless });
  await add(before, [film]);
  await expectStates(before, "uploading");
  expect(before.losesBytes()).toBe(true);

  const after = queueWith({ store });
  await after.restore("ada");
  await expectStates(after, "needsFile");
  const id = idOf(after, "film.mp4");
  expect(await after.chooseAgain(id, photo("film.mp4", [1, 2, 3, 4]))).toBe(false);
  expect(await after.chooseAgain(id, film)).toBe(true);
  await expectStates(after, "stored");
});

test("files of another account on the same computer are left alone", async () => {
  const store = memoryStore();
  await add(queueWith({ store, send: endless }), photos("a.jpg"));
  const queue = queueWith({ store });
  await queue.restore("bob");
  expect(queue.files.get()).toEqual([]);
});

test("an upload waits for a lost network and does not fail", async () => {
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

test("an upload waits while offline and is sent once online", async () => {
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

test("paused files stay paused after a reload, and resume on request", async () => {
  const store = memoryStore();
  const queue = queueWith({ store, send: endless });
  await add(queue, photos("a.jpg", "b.jpg"));
  await expectStates(queue, "uploading", "uploading");
  queue.pause(queue.files.get().map(({ id }) => id));
  expect(states(queue)).toEqual(["paused", "paused"]);

  const after = queueWith({ store });
  await after.restore("ada");
  expect(states(after)).toEqual(["paused", "paused"]);
  after.resume([idOf(after, "b.jpg")]);
  await expectStates(after, "paused", "stored");
});

test("the uploads of a session that has expired continue in the same person's next session, and in nobody else's", async () => {
  const store = memoryStore();
  let sent = endless;
  const queue = queueWith({ store, send: (...args) => sent(...args) });
  await add(queue, photos("a.jpg", "b.jpg"));
  queue.leave();
  expect(queue.files.get()).toEqual([]);
  sent = stored;
  await queue.restore("bob");
  expect(queue.files.get()).toEqual([]);
  await queue.restore("ada");
  await expectStates(queue, "stored", "stored");
  expect(store.files.size).toBe(0);
});
