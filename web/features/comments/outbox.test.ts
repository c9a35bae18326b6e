import { expect, test, vi } from "vitest";
import { Outbox, Unreachable } from "./outbox.ts";

const comment = {
  id: "1",
  userId: "ada",
  memoryId: "m",
  mediaId: null,
  parentId: null,
  body: "She sang.",
  mentions: [],
  at: "2026-05-01T10:00:00Z",
};

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
const states = (outbox: Outbox) => outbox.unsent.get().map(({ id, state }) => [id, state]);

test("a comment is shown as sending until it is stored", async () => {
  const outbox = new Outbox(storage());
  const told = vi.fn();
  outbox.unsent.subscribe(told);
  const sending = outbox.send(comment, async () => expect(states(outbox)).toEqual([["1", "sending"]]));
  await sending;
  expect(states(outbox)).toEqual([]);
  expect(told).toHaveBeenCalledTimes(2);
});

test("a failed comment survives a reload and is sent again under the same id", async () => {
  const store = storage();
  const outbox = new Outbox(store);
  await outbox.send(comment, () => Promise.reject(new Error("no network")));
  expect(states(outbox)).toEqual([["1", "failed"]]);
  const reloaded = new Outbox(store);
  const [left] = reloaded.unsent.get();
  expect(left).toEqual({ ...comment, state: "failed" });
  const sent = vi.fn(async () => {});
  await Promise.all([reloaded.send(comment, sent), reloaded.send(comment, sent)]);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(new Outbox(store).unsent.get()).toEqual([]);
});

test("a comment that is being sent during a reload is kept", () => {
  const store = storage();
  void new Outbox(store).send(comment, () => new Promise(() => {}));
  expect(states(new Outbox(store))).toEqual([["1", "waiting"]]);
});

test("a comment written without a connection waits, also across a reload, and is sent with the memory's others", async () => {
  const store = storage();
  const outbox = new Outbox(store);
  const unreachable = () => Promise.reject(new Unreachable("no network"));
  await outbox.send(comment, unreachable);
  await outbox.send({ ...comment, id: "2", mediaId: "photo" }, unreachable);
  await outbox.send({ ...comment, id: "3", memoryId: "other" }, unreachable);
  await outbox.send({ ...comment, id: "4" }, () => Promise.reject(new Error("refused")));
  const reloaded = new Outbox(store);
  expect(states(reloaded)).toEqual([
    ["1", "waiting"],
    ["2", "waiting"],
    ["3", "waiting"],
    ["4", "failed"],
  ]);
  const sent: string[] = [];
  const send = async ({ id }: { id: string }) => void sent.push(id);
  await Promise.all([reloaded.sendWaiting(comment, send), reloaded.sendWaiting(comment, send)]);
  expect(sent).toEqual(["1", "2"]);
  expect(states(reloaded)).toEqual([
    ["3", "waiting"],
    ["4", "failed"],
  ]);
});

test("a comment received as an event before its response is not shown as failed afterwards", async () => {
  const outbox = new Outbox(storage());
  await outbox.send(comment, async () => {
    outbox.forget("1");
    throw new Error("no network");
  });
  expect(states(outbox)).toEqual([]);
});

test("a second comment waits for the first, and is not sent if it is cancelled", async () => {
  const outbox = new Outbox(storage());
  const said: string[] = [];
  let fail = () => {};
  const first = outbox.send(comment, ({ id }) => {
    said.push(id);
    return new Promise((_, reject) => {
      fail = () => reject(new Error("no network"));
    });
  });
  const later = ["2", "3"].map((id) => outbox.send({ ...comment, id }, async () => void said.push(id)));
  outbox.forget("2");
  await expect.poll(() => said).toEqual(["1"]);
  fail();
  await Promise.all([first, ...later]);
  expect(said).toEqual(["1", "3"]);
  expect(states(outbox)).toEqual([["1", "failed"]]);
});
