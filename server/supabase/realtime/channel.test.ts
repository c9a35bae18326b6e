import { expect, test } from "vitest";
import { gated } from "../../../tests/support/gated.ts";
import { joinChannel } from "./channel.ts";
import type { Listener } from "./delivery.ts";
import type { Hub } from "./grant.ts";
import { Written } from "./messages.ts";

test("a change that commits while a join is being answered reaches the client after the reply", async () => {
  const listeners = new Set<Listener>();
  const [asked, answered] = [gated(), gated()];
  const table = { schema: "public", name: "notes", key: [{ readers: ["anon"] }], columns: [{ readers: ["anon"] }] };
  const hub = {
    catalogue: { table: async () => table },
    checkFilter: async () => {},
    feed: {
      follow: async (begin: () => void) => begin(),
      recent: async () => {
        asked.resolve();
        await answered.promise;
        return [];
      },
    },
    sessions: { follow: () => () => {}, isOpen: async () => true },
    listeners,
    concernedBindings: async () => new Set<number>(),
  } as unknown as Hub;
  const budget = { mayJoin: () => true, reserve: () => () => {}, close: () => {} };
  const pushed: unknown[] = [];
  const wish = { event: "*", schema: "public", table: "notes", within_ms: 5000 };
  const join = joinChannel(
    hub,
    budget,
    "realtime:notes",
    { config: { postgres_changes: [wish] } },
    { role: "anon" },
    {
      push: (event, ...payloads) => pushed.push([event, ...payloads]),
      ended: () => {},
    },
  );

  // What changed before the join has been read, and the reply has not been sent.
  await asked.promise;
  const [early, late] = [new Written("1"), new Written("2")];
  const [listener] = listeners;
  listener?.hear([early]);
  expect(pushed).toEqual([]);
  answered.resolve();
  const channel = await join;
  expect(pushed).toEqual([]);
  channel.start();
  listener?.hear([late]);
  expect(pushed).toEqual([
    ["postgres_changes", early],
    ["system", expect.objectContaining({ status: "ok", missed: [] })],
    ["postgres_changes", late],
  ]);

  // After changes that could not be read, the client has to join again.
  listener?.lose();
  expect(pushed.at(-1)).toEqual(["system", expect.objectContaining({ status: "error" })]);
  expect(listeners.size).toBe(0);
});
