import { RealtimeClient } from "@supabase/realtime-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SupabaseClient } from "./database-client.ts";
import { isReconnecting } from "./reconnecting.ts";
import { requestPolicy } from "./request-policy.ts";
import { rowsAndObjects } from "./share-client.ts";
import { userClient } from "./user-client.ts";

const site = "http://127.0.0.1:9";
const key = "a public key of a test";

beforeEach(() => {
  vi.useFakeTimers();
  // Node 20 has none, and the client is not made without it.
  vi.stubGlobal("WebSocket", EventTarget);
  // The auth client logs network failures.
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The ways in which a server fails: no answer at all, an error, overload, and silence until the time-out. */
const failures: Record<string, typeof globalThis.fetch> = {
  "no network": () => Promise.reject(new TypeError("Failed to fetch")),
  "status 500": async () => Response.json({ message: "Internal error" }, { status: 500 }),
  "status 503": async () => Response.json({ message: "Too busy" }, { status: 503, headers: { "retry-after": "1" } }),
  "status 520": async () => Response.json({ message: "Unknown" }, { status: 520 }),
  silence: (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")));
    }),
};

interface Call {
  surface: string;
  send: (client: SupabaseClient) => PromiseLike<unknown>;
  /** The requests that reach the server, by failure. */
  requests: Record<keyof typeof failures, number>;
}

const once = { "no network": 1, "status 500": 1, "status 503": 1, "status 520": 1, silence: 1 };
const thrice = { ...once, "no network": 3, "status 503": 3 };

const shared: Call[] = [
  { surface: "rest: reading rows", send: (client) => client.from("memories").select("id"), requests: thrice },
  {
    surface: "rest: a function that reads",
    send: (client) => client.rpc("storage_stats", undefined, { get: true }),
    requests: thrice,
  },
  {
    surface: "rest: changing rows",
    send: (client) => client.from("comments").update({ body: "a" }).eq("id", "1"),
    requests: thrice,
  },
  {
    surface: "rest: inserting rows",
    send: (client) => client.from("cart_items").insert({ plan_id: "a" }),
    requests: once,
  },
  { surface: "storage: reading a file", send: (client) => client.storage.from("a").download("b"), requests: thrice },
  {
    surface: "storage: signing addresses",
    send: (client) => client.storage.from("a").createSignedUrls(["b"], 60),
    requests: thrice,
  },
  {
    surface: "storage: sending a file",
    send: (client) => client.storage.from("a").upload("b", new Blob(["c"])),
    requests: once,
  },
];

const ofTheUser: Call[] = [
  ...shared,
  { surface: "functions", send: (client) => client.functions.invoke("open-share", { body: {} }), requests: once },
  {
    surface: "auth: reading the person",
    send: (client) => client.auth.getUser("a.b.c"),
    requests: thrice,
  },
  {
    surface: "auth: signing in",
    send: (client) => client.auth.signInWithPassword({ email: "a@example.com", password: "a password" }),
    requests: once,
  },
];

/** Makes the call against a failing server until it ends; returns the number of requests. */
async function requestsOf(
  { send }: Call,
  failure: typeof globalThis.fetch,
  clientFor: (fetch: typeof globalThis.fetch) => SupabaseClient,
): Promise<number> {
  const fetch = vi.fn(failure);
  const policy = requestPolicy({ fetch, refresh: () => Promise.reject(new Error("no session")), onExpired: () => {} });
  const client = clientFor(policy);
  let ended = false;
  const end = () => {
    ended = true;
  };
  send(client).then(end, end);
  // Twelve attempts of 120 s each would still fit.
  for (let second = 0; !ended && second < 2000; second++) await vi.advanceTimersByTimeAsync(1000);
  expect(ended).toBe(true);
  const { length: count } = fetch.mock.calls;
  // The app counts as reconnecting until the server answers, in all tests that share this module.
  fetch.mockResolvedValue(Response.json({}));
  await policy(site);
  expect(isReconnecting()).toBe(false);
  return count;
}

test.each(ofTheUser)("Spec §9: three attempts are three for the signed-in person, $surface", async (call) => {
  const counted: Record<string, number> = {};
  for (const [name, failure] of Object.entries(failures)) {
    counted[name] = await requestsOf(call, failure, (fetch) => userClient(site, key, fetch));
  }
  expect(counted).toEqual(call.requests);
});

test.each(shared)("Spec §9: three attempts are three for a guest of a link, $surface", async (call) => {
  const counted: Record<string, number> = {};
  for (const [name, failure] of Object.entries(failures)) {
    counted[name] = await requestsOf(call, failure, (fetch) => rowsAndObjects(site, fetch) as SupabaseClient);
  }
  expect(counted).toEqual(call.requests);
});

test("Spec §9: a token is renewed with three requests, although the client itself tries for 30 s", async () => {
  const renewing: Call = {
    surface: "auth: renewing a token",
    send: (client) => client.auth.refreshSession({ refresh_token: "a" }),
    requests: once,
  };
  const down = failures["no network"] as typeof globalThis.fetch;
  expect(await requestsOf(renewing, down, (fetch) => userClient(site, key, fetch))).toBe(3);
});

test("a live connection is opened again with growing pauses, by one socket at a time", async () => {
  const opened: number[] = [];
  /** A socket whose server closes it at once. */
  class ClosingSocket extends EventTarget {
    readyState = 0;
    onclose?: (event: { code: number }) => void;
    constructor() {
      super();
      opened.push(Date.now());
      setTimeout(() => {
        this.readyState = 3;
        this.onclose?.({ code: 1006 });
      });
    }
    send() {}
    close() {}
  }
  const begun = Date.now();
  const client = new RealtimeClient(`${site.replace("http", "ws")}/realtime/v1`, {
    params: { apikey: key },
    transport: ClosingSocket as never,
  });
  client.channel("rows").subscribe();
  client.channel("people").subscribe();
  await vi.advanceTimersByTimeAsync(60_000);
  await client.disconnect();
  const pauses = opened.slice(1).map((at, place) => Math.round((at - (opened[place] ?? begun)) / 1000));
  expect(pauses.slice(0, 4)).toEqual([1, 2, 5, 10]);
  expect(opened.length).toBeLessThanOrEqual(9);
});
