import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChangeChannel, JOIN_AFTER_MS, REPLACE_AFTER_MS } from "./change-channel.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeChannel() {
  const tellers: ((payload: object) => void)[] = [];
  return {
    hear: (_status: string) => {},
    on: (_kind: string, _filter: object, teller: (payload: object) => void) => void tellers.push(teller),
    subscribe(hear: (status: string) => void) {
      this.hear = hear;
    },
    tell(id: number) {
      for (const teller of tellers)
        teller({ eventType: "INSERT", table: "stories", new: { id }, old: {}, errors: null });
    },
    kinds: () => tellers.length,
  };
}

/** A client whose channels the test controls. */
function fakeClient() {
  const open: ReturnType<typeof makeChannel>[] = [];
  const client = {
    realtime: { setAuth: async () => {} },
    channel() {
      const channel = makeChannel();
      open.push(channel);
      return channel;
    },
    removeChannel(left: (typeof open)[number]) {
      open.splice(open.indexOf(left), 1);
      left.hear("CLOSED");
    },
  };
  return { open, changes: new ChangeChannel(client as never) };
}

const follower = () => ({ told: vi.fn(), connected: vi.fn() });
const rows = ({ told }: ReturnType<typeof follower>) => told.mock.calls.map(([change]) => change?.row.id);
const stories = { event: "*", table: "stories" } as const;
const media = { event: "*", table: "media" } as const;
const joining = () => vi.advanceTimersByTimeAsync(REPLACE_AFTER_MS);

test("all parts of a page hear by one channel, each of what it asked for once", async () => {
  const { open, changes } = fakeClient();
  const [first, second] = [follower(), follower()];
  changes.follow([stories], first);
  changes.follow([stories], second);
  await joining();
  expect(open.map((channel) => channel.kinds())).toEqual([1]);
  open[0]?.hear("SUBSCRIBED");
  open[0]?.tell(1);
  expect([rows(first), rows(second)]).toEqual([
    [undefined, 1],
    [undefined, 1],
  ]);
});

test("parts that come one by one share one join, and the first does not wait for them", async () => {
  const { open, changes } = fakeClient();
  changes.follow([stories], follower());
  await vi.advanceTimersByTimeAsync(JOIN_AFTER_MS);
  expect(open).toHaveLength(1);
  open[0]?.hear("SUBSCRIBED");
  for (const table of ["media", "comments", "reactions"]) {
    changes.follow([{ event: "*", table }], follower());
    await vi.advanceTimersByTimeAsync(REPLACE_AFTER_MS - 1);
    expect(open).toHaveLength(1);
  }
  await vi.advanceTimersByTimeAsync(1);
  expect(open.map((channel) => channel.kinds())).toEqual([1, 4]);
});

test("a part that comes later misses nothing, and the others hear nothing twice", async () => {
  const { open, changes } = fakeClient();
  const [first, later] = [follower(), follower()];
  changes.follow([stories], first);
  await joining();
  open[0]?.hear("SUBSCRIBED");
  const leave = changes.follow([media], later);
  await joining();
  const [before, after] = [...open];
  // The old channel is used until the new one is joined. A change that both send is reported once.
  before?.tell(1);
  after?.tell(1);
  after?.hear("SUBSCRIBED");
  before?.tell(2);
  after?.tell(2);
  expect(rows(first).slice(0, 2)).toEqual([undefined, 1]);
  expect(rows(first).filter((id) => id === undefined)).toHaveLength(1);
  expect(rows(later)[0]).toBeUndefined();
  expect(open).toEqual([after]);
  leave();
  await joining();
  expect(open).toHaveLength(2);
});

test("a lost connection is told to all, and what they missed once it is back", async () => {
  const { open, changes } = fakeClient();
  const part = follower();
  const leave = changes.follow([stories], part);
  await joining();
  open[0]?.hear("SUBSCRIBED");
  open[0]?.hear("CHANNEL_ERROR");
  expect(part.connected.mock.calls).toEqual([[true], [false]]);
  open[0]?.hear("SUBSCRIBED");
  expect(rows(part)).toEqual([undefined, undefined]);
  // The server closes the channel of an expired token. A new channel is joined with the next token.
  open.splice(0)[0]?.hear("CLOSED");
  await vi.advanceTimersByTimeAsync(2000);
  expect(open).toHaveLength(1);
  leave();
  await joining();
  expect(open).toEqual([]);
});
