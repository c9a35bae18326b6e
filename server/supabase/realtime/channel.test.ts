import { expect, test } from "vitest";
import { gated } from "../../../tests/support/gated.ts";
import { joinChannel } from "./channel.ts";
import type { Listener } from "./delivery.ts";
import type { Hub } from "./grant.ts";
import { Written } from "./messages.ts";

const WISH = { event: "*", schema: "public", table: "notes", within_ms: 5000 };

/** A join that waits for the changes before it: `question` resolves once it does, and `answer` ends the wait. */
function startJoin() {
  const listeners = new Set<Listener>();
  const [question, answered] = [gated(), gated()];
  const table = { schema: "public", name: "notes", key: [{ readers: ["anon"] }], columns: [{ readers: ["anon"] }] };
  const hub = {
    catalogue: { table: async () => table },
    checkFilter: async () => {},
    feed: {
      follow: async (begin: () => void) => begin(),
      recent: async () => {
        question.resolve();
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
  const payload = { config: { postgres_changes: [WISH] } };
  const end = { push: (event: string, ...payloads: object[]) => pushed.push([event, ...payloads]), ended: () => {} };
  const join = joinChannel(hub, budget, "realtime:notes", payload, { role: "anon" }, end);
  return { join, listeners, pushed, question: question.promise, answer: answered.resolve };
}

test("a change that commits while a join is being answered reaches the client after the reply", async () => {
  const { join, listeners, pushed, question, answer } = startJoin();
  // What changed before the join has been read, and the reply has not been sent.
  await question;
  const [early, late] = [new Written("1"), new Written("2")];
  const [listener] = listeners;
  listener?.hear([early]);
  expect(pushed).toEqual([]);
  answer();
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

test("a join during which its channel ends is refused, because nothing would reach the client", async () => {
  const { join, listeners, pushed, question, answer } = startJoin();
  await question;
  const [listener] = listeners;
  listener?.lose();
  answer();
  await expect(join).rejects.toThrow("Join again");
  expect(pushed).toEqual([]);
});
