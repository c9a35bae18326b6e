import { expect, test, vi } from "vitest";
import type { KeyValueStorage } from "../browser/storage.ts";
import { DelayedDeletions, restoreDeleted, TrashDeletions } from "./deletions.ts";

const photo = { id: "a" };

function setUp() {
  const remove = vi.fn(async (_client: unknown, _items: readonly { id: string }[]) => {});
  const rpc = vi.fn(async () => ({ data: [photo] as object[], error: null }));
  const client = { rpc } as never;
  return {
    deletions: new TrashDeletions({ kind: "media", client: () => client, remove }),
    remove,
    client,
    restore: rpc,
  };
}

test("a deleted row is hidden at once, also in lists that were read before", async () => {
  const { deletions, remove, client } = setUp();
  const heard = vi.fn();
  deletions.hidden.subscribe(heard);
  const removal = deletions.remove([photo]);
  expect([...deletions.hidden.get()]).toEqual(["a"]);
  expect(heard).toHaveBeenCalledOnce();
  await removal;
  expect(remove).toHaveBeenCalledExactlyOnceWith(client, [photo]);
  expect([...deletions.hidden.get()]).toEqual(["a"]);
});

test("a failed deletion shows the row again and leaves no undo", async () => {
  const { deletions, remove, restore } = setUp();
  remove.mockRejectedValue(new Error("No network"));
  const removal = deletions.remove([photo]);
  const undone = deletions.restore([photo]);
  await expect(removal).rejects.toThrow("No network");
  await undone;
  expect(restore).not.toHaveBeenCalled();
  expect(deletions.hidden.get().size).toBe(0);
});

test("an undo waits until the deletion has been answered", async () => {
  const { deletions, remove, restore } = setUp();
  let arrive = () => {};
  remove.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  void deletions.remove([photo]);
  const undone = deletions.restore([photo]);
  await Promise.resolve();
  expect(restore).not.toHaveBeenCalled();
  arrive();
  await undone;
  expect(restore).toHaveBeenCalledExactlyOnceWith("restore_deleted", { items: [{ kind: "media", id: "a" }] });
  expect(deletions.hidden.get().size).toBe(0);
});

test("a row that cannot be restored stays hidden", async () => {
  const { deletions, restore } = setUp();
  restore.mockRejectedValue(new Error("Not yours any more"));
  await deletions.remove([photo]);
  await expect(deletions.restore([photo])).rejects.toThrow("Not yours");
  expect([...deletions.hidden.get()]).toEqual(["a"]);
});

test("a row that is restored elsewhere is shown again in every list", async () => {
  const { deletions, client } = setUp();
  await deletions.remove([photo]);
  await restoreDeleted(client, [{ kind: "media", id: "a" }]);
  expect(deletions.hidden.get().size).toBe(0);
});

function storage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

function setUpDelayed(store = storage()) {
  const remove = vi.fn(async (_names: readonly string[]) => {});
  const watch = vi.fn();
  return {
    deletions: new DelayedDeletions({ key: "deletions", remove, storage: store, watch }),
    remove,
    watch,
    kept: store,
  };
}

test("a deleted photo is hidden at once and deleted only after the undo time", async () => {
  const { deletions, remove, kept: values } = setUpDelayed();
  void deletions.remove([{ id: "m/a.jpg" }]);
  expect([...deletions.hidden.get()]).toEqual(["m/a.jpg"]);
  expect(remove).not.toHaveBeenCalled();
  await deletions.finish([{ id: "m/a.jpg" }]);
  expect(remove).toHaveBeenCalledExactlyOnceWith(["m/a.jpg"]);
  // A list that was read before must not show it again. After a reload no such list exists.
  expect([...deletions.hidden.get()]).toEqual(["m/a.jpg"]);
  expect(setUpDelayed(values).deletions.hidden.get().size).toBe(0);
});

test("an undone deletion deletes nothing, not even after a reload", async () => {
  const { deletions, remove, kept: values } = setUpDelayed();
  void deletions.remove([{ id: "m/a.jpg" }]);
  void deletions.restore([{ id: "m/a.jpg" }]);
  await deletions.finish([{ id: "m/a.jpg" }]);
  const after = setUpDelayed(values);
  await after.deletions.finish();
  expect(remove).not.toHaveBeenCalled();
  expect(after.remove).not.toHaveBeenCalled();
});

test("a photo stays hidden, and is deleted, if its page is left before the undo time ends", async () => {
  const { deletions, kept: values } = setUpDelayed();
  void deletions.remove([{ id: "m/a.jpg" }]);
  const after = setUpDelayed(values);
  expect([...after.deletions.hidden.get()]).toEqual(["m/a.jpg"]);
  // The next page completes it when it knows the session.
  after.watch.mock.calls[0]?.[0]();
  await expect.poll(() => after.deletions.hidden.get().size && after.remove.mock.calls.length).toBe(1);
  expect(after.remove).toHaveBeenCalledExactlyOnceWith(["m/a.jpg"]);
});

test("a photo that could not be deleted is shown again, and its screen is notified", async () => {
  const { deletions, remove } = setUpDelayed();
  remove.mockRejectedValueOnce(new Error("Failed to delete photo"));
  void deletions.remove([{ id: "m/a.jpg" }]);
  await expect(deletions.finish()).rejects.toThrow("Failed to delete photo");
  expect(deletions.hidden.get().size).toBe(0);
});

test("finishing one deletion keeps the undo of the others", async () => {
  const { deletions, remove } = setUpDelayed();
  void deletions.remove([{ id: "m/a.jpg" }]);
  void deletions.remove([{ id: "m/b.jpg" }]);
  await deletions.finish([{ id: "m/a.jpg" }]);
  expect(remove).toHaveBeenCalledExactlyOnceWith(["m/a.jpg"]);
  void deletions.restore([{ id: "m/b.jpg" }]);
  expect([...deletions.hidden.get()]).toEqual(["m/a.jpg"]);
});

test("a new row with the id of a deleted one can be shown", async () => {
  const { deletions } = setUpDelayed();
  void deletions.remove([{ id: "m/a.jpg" }]);
  await deletions.finish();
  expect([...deletions.hidden.get()]).toEqual(["m/a.jpg"]);
  deletions.release([{ id: "m/a.jpg" }]);
  expect(deletions.hidden.get().size).toBe(0);
});
