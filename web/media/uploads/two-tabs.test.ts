import { expect, onTestFinished, test, vi } from "vitest";
import { gated } from "../../../tests/support/gated.ts";
import {
  add,
  endless,
  expectStates,
  memoryStore,
  photos,
  queueWith,
  sharedLocks,
  stored,
} from "../../../tests/support/upload-queue.ts";
import type { UploadQueueDeps } from "./upload-queue.ts";

/** Two tabs of a browser with shared storage and locks, and a channel between them. */
function browser() {
  const [store, locks] = [memoryStore(), sharedLocks()];
  const name = crypto.randomUUID();
  const tab = (deps: Partial<UploadQueueDeps> = {}) => {
    const channel = new BroadcastChannel(name);
    onTestFinished(() => channel.close());
    return queueWith({ store, locks, channel, ...deps });
  };
  return { store, locks, tab };
}

test("one of two tabs sends a file, and the other shows its progress and its end", async () => {
  const { tab } = browser();
  const gate = gated();
  const send = vi.fn(() => gate.promise);
  const first = tab({ send });
  await add(first, photos("a.jpg", "b.jpg", "c.jpg", "d.jpg"));
  await expectStates(first, "uploading", "uploading", "uploading", "waiting");
  const second = tab({ send });
  await second.restore("ada");
  // Both tabs together send no more files than one tab would.
  await expectStates(second, "otherTab", "otherTab", "otherTab", "waiting");
  gate.resolve();
  await expectStates(second, "stored", "stored", "stored", "stored");
  expect(send).toHaveBeenCalledTimes(4);
});

test("another tab resumes the upload when the sending tab is closed", async () => {
  const { locks, tab } = browser();
  const [begun, closed] = [gated(), gated()];
  // Closing a tab releases its locks and stops its work.
  const request = (name: string, options: LockOptions, work: LockGrantedCallback<unknown>) =>
    locks
      .request(name, options, (lock) => Promise.race([work(lock), closed.promise]))
      .then(() => new Promise(() => {}));
  const address = "/storage/v1/upload/resumable/1";
  const first = tab({
    locks: { ...locks, request } as LockManager,
    async send(_upload, _bytes, { onAddress }) {
      await begun.promise;
      onAddress(address);
      await new Promise(() => {});
    },
  });
  await add(first, photos("a.jpg"));
  const sent: (string | undefined)[] = [];
  // It loaded the file before the file had an upload URL.
  const second = tab({ send: async ({ url }) => void sent.push(url) });
  await second.restore("ada");
  await expectStates(second, "otherTab");
  begun.resolve();
  closed.resolve();
  await expectStates(second, "stored");
  expect(sent).toEqual([address]);
});

test("a pause, resume or removal in one tab applies to the other", async () => {
  const { store, tab } = browser();
  let line = endless;
  const first = tab({ send: (...file) => line(...file) });
  await add(first, photos("a.jpg", "b.jpg"));
  await expectStates(first, "uploading", "uploading");
  line = vi.fn(stored);
  const second = tab({ send: (...file) => line(...file) });
  await second.restore("ada");
  await expectStates(second, "otherTab", "otherTab");
  const [a, b] = first.files.get().map(({ id }) => id) as [string, string];

  first.pause([a]);
  await expectStates(second, "paused", "otherTab");
  second.pause([b]);
  await expectStates(first, "paused", "paused");
  expect(line).not.toHaveBeenCalled();
  second.remove([b]);
  await expectStates(first, "paused");
  expect([...store.files.keys()]).toEqual([a]);
  second.resume([a]);
  await expectStates(first, "stored");
  await expectStates(second, "stored");
});
