import { expect, test, vi } from "vitest";
import { DelayedDeletions, type ListStorage } from "./delayed-deletions.ts";

function storage(): ListStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

function setUp(kept = storage()) {
  const remove = vi.fn(async (_names: readonly string[]) => {});
  const onFailed = vi.fn();
  return {
    deletions: new DelayedDeletions({ key: "deletions", remove, storage: kept, onFailed }),
    remove,
    onFailed,
    kept,
  };
}

test("a deleted photo is hidden at once and deleted only when the way back has closed", async () => {
  const { deletions, remove, kept } = setUp();
  deletions.begin("m/a.jpg");
  expect([...deletions.snapshot()]).toEqual(["m/a.jpg"]);
  expect(remove).not.toHaveBeenCalled();
  await deletions.finish("m/a.jpg");
  expect(remove).toHaveBeenCalledExactlyOnceWith(["m/a.jpg"]);
  // A list that was read before its end must not show it again; after a reload there is no such list.
  expect([...deletions.snapshot()]).toEqual(["m/a.jpg"]);
  expect(setUp(kept).deletions.snapshot().size).toBe(0);
});

test("an undone deletion deletes nothing, not even after a reload", async () => {
  const { deletions, remove, kept } = setUp();
  deletions.begin("m/a.jpg");
  deletions.undo("m/a.jpg");
  await deletions.finish("m/a.jpg");
  const after = setUp(kept);
  await after.deletions.finish();
  expect(remove).not.toHaveBeenCalled();
  expect(after.remove).not.toHaveBeenCalled();
});

test("a page that was left before the end hides the photo still and finishes the deletion", async () => {
  const { deletions, kept } = setUp();
  deletions.begin("m/a.jpg");
  const after = setUp(kept);
  expect([...after.deletions.snapshot()]).toEqual(["m/a.jpg"]);
  await after.deletions.finish();
  expect(after.remove).toHaveBeenCalledExactlyOnceWith(["m/a.jpg"]);
});

test("a photo that could not be deleted is shown again, and that is said", async () => {
  const { deletions, remove, onFailed } = setUp();
  remove.mockRejectedValueOnce(new Error("Failed to delete photo"));
  deletions.begin("m/a.jpg");
  await deletions.finish();
  expect(onFailed).toHaveBeenCalledOnce();
  expect(deletions.snapshot().size).toBe(0);
});

test("finishing one leaves the others their way back", async () => {
  const { deletions, remove } = setUp();
  deletions.begin("m/a.jpg");
  deletions.begin("m/b.jpg");
  await deletions.finish("m/a.jpg");
  expect(remove).toHaveBeenCalledExactlyOnceWith(["m/a.jpg"]);
  deletions.undo("m/b.jpg");
  expect([...deletions.snapshot()]).toEqual(["m/a.jpg"]);
});

test("what has come anew under the name of something deleted can be shown", async () => {
  const { deletions } = setUp();
  deletions.begin("m/a.jpg");
  await deletions.finish();
  expect([...deletions.snapshot()]).toEqual(["m/a.jpg"]);
  deletions.release("m/a.jpg");
  expect(deletions.snapshot().size).toBe(0);
});
