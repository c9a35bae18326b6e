import { expect, test, vi } from "vitest";
import { Deletions, restoreDeleted } from "./deletions.ts";

const photo = { id: "a" };

function setUp() {
  const remove = vi.fn(async (_items: readonly { id: string }[]) => {});
  const restore = vi.fn(async (_items: readonly { id: string }[]) => {});
  return { deletions: new Deletions({ remove, restore }), remove, restore };
}

test("what is deleted is hidden at once, and stays so in lists that were read before", async () => {
  const { deletions, remove } = setUp();
  const heard = vi.fn();
  deletions.subscribe(heard);
  const removal = deletions.remove([photo]);
  expect([...deletions.snapshot()]).toEqual(["a"]);
  expect(heard).toHaveBeenCalledOnce();
  await removal;
  expect(remove).toHaveBeenCalledExactlyOnceWith([photo]);
  expect([...deletions.snapshot()]).toEqual(["a"]);
});

test("a deletion that fails shows it again, and there is nothing to restore", async () => {
  const { deletions, remove, restore } = setUp();
  remove.mockRejectedValue(new Error("No network"));
  const removal = deletions.remove([photo]);
  const undone = deletions.restore([photo]);
  await expect(removal).rejects.toThrow("No network");
  await undone;
  expect(restore).not.toHaveBeenCalled();
  expect(deletions.snapshot().size).toBe(0);
});

test("an undo waits for the deletion, so that neither passes the other on the way", async () => {
  const { deletions, remove, restore } = setUp();
  let arrive = () => {};
  remove.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  void deletions.remove([photo]);
  const undone = deletions.restore([photo]);
  await Promise.resolve();
  expect(restore).not.toHaveBeenCalled();
  arrive();
  await undone;
  expect(restore).toHaveBeenCalledExactlyOnceWith([photo]);
  expect(deletions.snapshot().size).toBe(0);
});

test("what can not be restored stays hidden", async () => {
  const { deletions, restore } = setUp();
  restore.mockRejectedValue(new Error("Not yours any more"));
  await deletions.remove([photo]);
  await expect(deletions.restore([photo])).rejects.toThrow("Not yours");
  expect([...deletions.snapshot()]).toEqual(["a"]);
});

test("what is restored elsewhere is shown again by every list that hid it", async () => {
  const { deletions } = setUp();
  await deletions.remove([photo]);
  const rpc = vi.fn(async () => ({ data: [photo], error: null }));
  await restoreDeleted({ rpc } as never, [{ kind: "media", id: "a" }]);
  expect(deletions.snapshot().size).toBe(0);
});
