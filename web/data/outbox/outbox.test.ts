import { expect, test, vi } from "vitest";
import type { Rows } from "./deliver.ts";
import { Outbox } from "./outbox.ts";
import { type CommentWrite, isAtLink, ownerOf, type WaitingWrite } from "./waiting-write.ts";
import type { Credentials, WriteStore } from "./write-store.ts";

const GOOD = { status: 201, error: null };
const NO_NETWORK = { status: 0, error: {} };
const FORBIDDEN = { status: 403, error: { code: "42501" } };

const comment = (id: string, owner = "person-ada"): Omit<CommentWrite, "state"> => ({
  kind: "comment",
  id,
  owner,
  memoryId: "m",
  mediaId: null,
  parentId: null,
  body: `Comment ${id}`,
  mentions: [],
  at: "2026-05-01T10:00:00Z",
});

/** What a browser stores, its locks and its channel, shared by tabs. */
function browser() {
  const writes = new Map<string, WaitingWrite>();
  const credentials = new Map<string, Credentials>();
  const store: WriteStore = {
    put: async (write) => void writes.set(write.id, write),
    get: async (id) => writes.get(id),
    remove: async (id) => void writes.delete(id),
    all: async (owner) => [...writes.values()].filter((one) => one.owner === owner),
    owners: async () => [...new Set([...writes.values()].map(({ owner }) => owner))],
    async removeAll(isOf) {
      for (const { id, owner } of writes.values()) if (isOf(owner)) writes.delete(id);
    },
    credentials: async (owner) => credentials.get(owner),
    putCredentials: async (stored) => void credentials.set(stored.owner, stored),
  };
  const queues = new Map<string, Promise<unknown>>();
  const request = (name: string, work: () => Promise<unknown>) => {
    const done = (queues.get(name) ?? Promise.resolve()).then(work);
    queues.set(
      name,
      done.catch(() => {}),
    );
    return done;
  };
  const listeners: [object, () => void][] = [];
  const askForSync = vi.fn();
  const tab = (more: Partial<WriteStore> = {}) => {
    const channel = {
      postMessage() {
        for (const [owner, listener] of listeners) if (owner !== channel) listener();
      },
      addEventListener: (_type: string, listener: () => void) => void listeners.push([channel, listener]),
    };
    return new Outbox({
      store: { ...store, ...more },
      locks: { request } as unknown as LockManager,
      channel: channel as unknown as BroadcastChannel,
      isOffline: () => false,
      askForSync,
    });
  };
  return { tab, writes, credentials, askForSync };
}

/** A server that answers as told, and what it has received. */
function server(answer: (id: string) => object | Promise<object> = () => GOOD) {
  const received: string[] = [];
  const send = async (id: string) => {
    received.push(id);
    return (await answer(id)) as typeof GOOD;
  };
  const rows: Rows = {
    insert: (_table, row) => send((row as { id: string }).id),
    remove: (_table, id) => send(`-${id}`),
  };
  return { received, rows };
}
const sender = (rows: Rows, hasEnded?: () => Promise<boolean>) => ({
  rows,
  hasEnded,
  credentials: async () => undefined,
});
const states = (outbox: Outbox) => outbox.entries.get().map(({ id, state }) => [id, state]);

test("a write is shown as sending until the server has it, and is announced before it disappears", async () => {
  const { tab, writes } = browser();
  const outbox = tab();
  const { rows, received } = server(() => {
    expect(states(outbox)).toEqual([["1", "sending"]]);
    expect(writes.get("1")?.state).toBe("waiting");
    return GOOD;
  });
  outbox.open("person-ada", sender(rows));
  const announced: unknown[] = [];
  outbox.onStored(({ id }, isLate) => announced.push([id, isLate, states(outbox)]));
  expect(await outbox.add(comment("1"))).toBe("stored");
  expect(received).toEqual(["1"]);
  expect(announced).toEqual([["1", false, [["1", "sending"]]]]);
  expect(states(outbox)).toEqual([]);
  expect(writes.size).toBe(0);
});

test("without a network writes wait, are read by the next page of their owner alone, and are sent once and in order", async () => {
  const phone = browser();
  const outbox = phone.tab();
  const dead = server(() => NO_NETWORK);
  outbox.open("person-ada", sender(dead.rows));
  expect(await outbox.add(comment("1"))).toBe("waiting");
  expect(await outbox.add(comment("2"))).toBe("waiting");
  expect(phone.askForSync).toHaveBeenCalled();
  // The second waits for the first.
  expect(dead.received).toEqual(["1", "1"]);

  const others = server();
  const other = phone.tab();
  other.open("person-bea", sender(others.rows));
  await other.flush("person-bea");
  expect(states(other)).toEqual([]);
  expect(others.received).toEqual([]);

  const { rows, received } = server();
  const [first, second] = [phone.tab(), phone.tab()];
  first.open("person-ada", sender(rows));
  second.open("person-ada", sender(rows));
  await vi.waitFor(() => expect([...states(first), ...states(second), ...phone.writes]).toEqual([]), { timeout: 5000 });
  await vi.waitFor(() => expect(received).toEqual(["1", "2"]), { timeout: 5000 });
});

test("a refused write stays with its text, lets later ones pass, and can be sent again", async () => {
  const phone = browser();
  const outbox = phone.tab();
  let isRefused = true;
  const { rows, received } = server((id) => (id === "1" && isRefused ? FORBIDDEN : GOOD));
  outbox.open("person-ada", sender(rows));
  await expect(outbox.add(comment("1"))).rejects.toThrow();
  expect(await outbox.add(comment("2"))).toBe("stored");
  expect(states(outbox)).toEqual([["1", "failed"]]);
  expect(phone.writes.get("1")).toMatchObject({ state: "failed", body: "Comment 1" });
  isRefused = false;
  await outbox.again("1");
  await vi.waitFor(() => expect(states(outbox)).toEqual([]), { timeout: 5000 });
  expect(received).toEqual(["1", "2", "1"]);
});

test("a write that is refused because the link has closed waits until it is open again", async () => {
  const phone = browser();
  const outbox = phone.tab();
  const owner = ownerOf("guest", "share");
  const close = outbox.open(
    owner,
    sender(server(() => FORBIDDEN).rows, async () => true),
  );
  expect(await outbox.add(comment("1", owner))).toBe("waiting");
  close();
  const { rows, received } = server();
  outbox.open(owner, sender(rows));
  await vi.waitFor(() => expect(received).toEqual(["1"]), { timeout: 5000 });
});

test("what waits can be taken back until the server has it", async () => {
  const phone = browser();
  const outbox = phone.tab();
  outbox.open("person-ada", sender(server(() => NO_NETWORK).rows));
  await outbox.add(comment("1"));
  expect(await outbox.takeBack("1")).toBe(true);
  expect(phone.writes.size).toBe(0);
  expect(states(outbox)).toEqual([]);

  const answers: ((response: object) => void)[] = [];
  const { rows } = server(() => new Promise<object>((resolve) => void answers.push(resolve)));
  const slow = phone.tab();
  slow.open("person-ada", sender(rows));
  const sent = slow.add(comment("2"));
  await vi.waitFor(() => expect(answers.length).toBe(1), { timeout: 5000 });
  const taken = slow.takeBack("2");
  answers[0]?.(GOOD);
  expect(await sent).toBe("stored");
  expect(await taken).toBe(false);
});

test("a device without room keeps a write as long as the page", async () => {
  const full = () => Promise.reject(new Error("QuotaExceededError"));
  const outbox = browser().tab({ put: full });
  let answer: object = NO_NETWORK;
  const { rows, received } = server(() => answer);
  outbox.open("person-ada", sender(rows));
  expect(await outbox.add(comment("1"))).toBe("waiting");
  answer = GOOD;
  await outbox.flush("person-ada");
  expect(received).toEqual(["1", "1"]);
  expect(states(outbox)).toEqual([]);
});

test("forgetting a link's writes leaves those of others", async () => {
  const phone = browser();
  const outbox = phone.tab();
  const dead = server(() => NO_NETWORK).rows;
  const owner = ownerOf("guest", "share");
  for (const one of ["person-ada", owner]) outbox.open(one, sender(dead));
  await outbox.add(comment("1"));
  await outbox.add(comment("2", owner));
  await outbox.forget((one) => isAtLink(one, "share"));
  expect([...phone.writes.keys()]).toEqual(["1"]);
  expect(states(outbox)).toEqual([["1", "waiting"]]);
});
