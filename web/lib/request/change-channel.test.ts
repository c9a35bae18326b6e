import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChangeChannel, JOIN_AFTER_MS, JOIN_MS, REPLACE_AFTER_MS } from "./change-channel.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeChannel() {
  const listeners: ((payload: object) => void)[] = [];
  let onSystem: ((payload: object) => void) | undefined;
  return {
    setStatus: (_status: string) => {},
    /** For how long the page may have had its rows, as its join says. */
    within: undefined as number | undefined,
    on(kind: string, filter: { within_ms?: number }, listener: (payload: object) => void) {
      if (kind === "system") onSystem = listener;
      else {
        listeners.push(listener);
        this.within = filter.within_ms;
      }
    },
    /** The server's confirmation, with the places of the kinds that changed before the join. */
    join(missed?: number[]) {
      this.setStatus("SUBSCRIBED");
      onSystem?.({ extension: "postgres_changes", status: "ok", missed });
    },
    subscribe(onStatus: (status: string) => void) {
      this.setStatus = onStatus;
    },
    emit(id: number) {
      for (const listener of listeners)
        listener({ eventType: "INSERT", table: "stories", new: { id }, old: {}, errors: null });
    },
    kinds: () => listeners.length,
  };
}

/** A client whose channels the test controls. */
function fakeClient(Channel = ChangeChannel) {
  const open: ReturnType<typeof makeChannel>[] = [];
  const client = {
    realtime: { setAuth: async () => {} },
    channel() {
      const channel = makeChannel();
      open.push(channel);
      return channel;
    },
    removeChannel(channel: (typeof open)[number]) {
      open.splice(open.indexOf(channel), 1);
      channel.setStatus("CLOSED");
    },
  };
  return { open, changes: new Channel(client as never) };
}

const makeSubscriber = () => ({ onChange: vi.fn(), onConnection: vi.fn() });
const rows = ({ onChange }: ReturnType<typeof makeSubscriber>) => onChange.mock.calls.map(([change]) => change?.row.id);
const stories = { event: "*", table: "stories" } as const;
const media = { event: "*", table: "media" } as const;
const joining = () => vi.advanceTimersByTimeAsync(REPLACE_AFTER_MS);

test("all parts of a page share one channel, and each receives its own changes once", async () => {
  const { open, changes } = fakeClient();
  const [first, second] = [makeSubscriber(), makeSubscriber()];
  changes.subscribe([stories], first);
  changes.subscribe([stories], second);
  await joining();
  expect(open.map((channel) => channel.kinds())).toEqual([1]);
  open[0]?.join();
  open[0]?.emit(1);
  expect([rows(first), rows(second)]).toEqual([
    [undefined, 1],
    [undefined, 1],
  ]);
});

test("parts that subscribe one after another share one join, and the first does not wait", async () => {
  const { open, changes } = fakeClient();
  changes.subscribe([stories], makeSubscriber());
  await vi.advanceTimersByTimeAsync(JOIN_AFTER_MS);
  expect(open).toHaveLength(1);
  open[0]?.join();
  for (const table of ["media", "comments", "reactions"]) {
    changes.subscribe([{ event: "*", table }], makeSubscriber());
    await vi.advanceTimersByTimeAsync(REPLACE_AFTER_MS - 1);
    expect(open).toHaveLength(1);
  }
  await vi.advanceTimersByTimeAsync(1);
  expect(open.map((channel) => channel.kinds())).toEqual([1, 4]);
});

test("a part that subscribes later misses no changes, and the others receive none twice", async () => {
  const { open, changes } = fakeClient();
  const [first, later] = [makeSubscriber(), makeSubscriber()];
  changes.subscribe([stories], first);
  await joining();
  open[0]?.join();
  const leave = changes.subscribe([media], later);
  await joining();
  const [before, after] = [...open];
  // The old channel is used until the new one is joined. A change that both send is reported once.
  before?.emit(1);
  after?.emit(1);
  after?.join();
  before?.emit(2);
  after?.emit(2);
  expect(rows(first).slice(0, 2)).toEqual([undefined, 1]);
  expect(rows(first).filter((id) => id === undefined)).toHaveLength(1);
  expect(rows(later)[0]).toBeUndefined();
  expect(open).toEqual([after]);
  leave();
  await joining();
  expect(open).toHaveLength(2);
});

test("all parts learn of a lost connection, and of missed changes once it is back", async () => {
  const { open, changes } = fakeClient();
  const part = makeSubscriber();
  const leave = changes.subscribe([stories], part);
  await joining();
  open[0]?.join();
  open[0]?.setStatus("CHANNEL_ERROR");
  expect(part.onConnection.mock.calls).toEqual([[true], [false]]);
  open[0]?.join();
  expect(rows(part)).toEqual([undefined, undefined]);
  // The server closes the channel of an expired token. A new channel is joined with the next token.
  open.splice(0)[0]?.setStatus("CLOSED");
  await vi.advanceTimersByTimeAsync(2000);
  expect(open).toHaveLength(1);
  leave();
  await joining();
  expect(open).toEqual([]);
});

test("parts read again only what changed between their reading and the join", async () => {
  const { open, changes } = fakeClient();
  const [unchanged, changed] = [makeSubscriber(), makeSubscriber()];
  changes.subscribe([stories], unchanged);
  changes.subscribe([stories, media], changed);
  await joining();
  open[0]?.join([1]);
  expect([rows(unchanged), rows(changed)]).toEqual([[], [undefined]]);
  expect(unchanged.onConnection.mock.calls).toEqual([[true]]);
  open[0]?.emit(1);
  expect(rows(unchanged)).toEqual([1]);
});

test("parts read everything again if the join took long, or its confirmation does not come", async () => {
  const { open, changes } = fakeClient();
  const [late, silent] = [makeSubscriber(), makeSubscriber()];
  changes.subscribe([stories], late);
  await joining();
  await vi.advanceTimersByTimeAsync(JOIN_MS);
  open[0]?.join([]);
  expect(rows(late)).toEqual([undefined]);
  changes.subscribe([media], silent);
  await joining();
  open[1]?.setStatus("SUBSCRIBED");
  expect(rows(silent)).toEqual([]);
  await vi.advanceTimersByTimeAsync(JOIN_MS);
  expect(rows(silent)).toEqual([undefined]);
  expect(rows(late)).toEqual([undefined]);
});

test("a page that began with an offline copy reads everything again once it is online", async () => {
  vi.resetModules();
  const { offline } = await import("../offline/offline-state.ts");
  offline.set(true);
  const module = await import("./change-channel.ts");
  offline.set(false);
  const { open, changes } = fakeClient(module.ChangeChannel);
  const part = makeSubscriber();
  changes.subscribe([stories], part);
  await joining();
  expect(open[0]?.within).toBeUndefined();
  open[0]?.join([]);
  expect(rows(part)).toEqual([undefined]);
});
