import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isReconnecting, subscribeReconnecting } from "./reconnecting.ts";
import { isRepeatable, requestPolicy } from "./request-policy.ts";

const url = "https://skies.example/rest/v1/memories";
type Fetch = typeof globalThis.fetch;

const expired = () => Response.json({ code: "PGRST301", message: "JWT expired" }, { status: 401 });
const down = () => Promise.reject(new TypeError("Failed to fetch"));
const noRefresh = () => Promise.reject(new Error("no session"));

/** A fetch with prepared responses, and the waits of the policy. */
function scripted(answers: (() => Response | Promise<Response>)[], refresh: () => Promise<string> = noRefresh) {
  const sent: { headers: Headers; at: number }[] = [];
  const onExpired = vi.fn();
  const fetch: Fetch = async (_input, init) => {
    sent.push({ headers: new Headers(init?.headers), at: Date.now() - begun });
    const answer = answers[sent.length - 1];
    if (!answer) throw new Error("one request too many");
    return answer();
  };
  const begun = Date.now();
  return { request: requestPolicy({ fetch, refresh, onExpired }), sent, onExpired };
}

/** Advances the clock until the request is answered. */
async function settled<T>(promise: Promise<T>): Promise<T | Error> {
  const outcome = promise.catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the app shows that it reconnects until a repeated request is answered", async () => {
  const unavailable = () => new Response(null, { status: 503, headers: { "retry-after": "1" } });
  const seen: boolean[] = [];
  const stop = subscribeReconnecting(() => seen.push(isReconnecting()));
  const { request } = scripted([down, unavailable, () => Response.json([])]);
  await settled(request(url));
  stop();
  expect(seen).toEqual([true, false]);
});

test("the app shows that it reconnects between the auth client's attempts to refresh a token", async () => {
  const seen: boolean[] = [];
  const stop = subscribeReconnecting(() => seen.push(isReconnecting()));
  const unavailable = () => new Response(null, { status: 502 });
  const { request } = scripted([down, unavailable, down, () => Response.json({}), () => Response.json({})]);
  const refresh = () =>
    settled(request("https://skies.example/auth/v1/token?grant_type=refresh_token", { method: "POST" }));
  for (let attempt = 0; attempt < 3; attempt++) await refresh();
  expect(seen).toEqual([true]);
  for (let attempt = 0; attempt < 2; attempt++) await refresh();
  stop();
  expect(seen).toEqual([true, false]);
});

test("Spec §7: every request names the app and keeps its own headers", async () => {
  const { request, sent } = scripted([() => Response.json([])]);
  await request(url, { headers: { apikey: "key", authorization: "Bearer a" } });
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
    apikey: "key",
    authorization: "Bearer a",
    "x-skies-app": "web",
  });
});

test.each([200, 403, 404, 502])("a page with status %d in place of an answer is a lost network", async (status) => {
  const page = () =>
    new Response("<!doctype html>", { status, headers: { "content-type": "text/html; charset=utf-8" } });
  const reads = scripted([page, page, () => Response.json([])]);
  expect(await settled(reads.request(url))).toMatchObject({ status: 200 });
  const writes = scripted([page]);
  expect(await settled(writes.request(url, { method: "POST" }))).toBeInstanceOf(TypeError);
});

test("HTTP errors come back as they are and are not repeated", async () => {
  for (const status of [400, 401, 403, 404, 429, 500, 503]) {
    const { request, sent, onExpired } = scripted([() => Response.json({ message: "no" }, { status })]);
    const response = (await settled(request(url))) as Response;
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: "no" });
    expect(sent).toHaveLength(1);
    expect(onExpired).not.toHaveBeenCalled();
  }
});

describe("an overloaded server", () => {
  const refused = (status: number, seconds: string) => () =>
    Response.json({ message: "wait" }, { status, headers: { "retry-after": seconds } });
  const done = () => Response.json([]);

  test("Spec §9: is tried again after Retry-After, at the earliest 1000 ms × 2^attempt later", async () => {
    const { request, sent } = scripted([refused(429, "1"), refused(429, "5"), done]);
    expect(await settled(request(url))).toMatchObject({ status: 200 });
    expect(sent.map(({ at }) => at)).toEqual([0, 1000, 6000]);
  });

  test("gets a plain POST again after 429, but not after 503", async () => {
    const limited = scripted([refused(429, "1"), done]);
    expect(await settled(limited.request(url, { method: "POST" }))).toMatchObject({ status: 200 });
    const busy = scripted([refused(503, "1"), done]);
    expect(await settled(busy.request(url, { method: "POST" }))).toMatchObject({ status: 503 });
    const reading = scripted([refused(503, "1"), done]);
    expect(await settled(reading.request(url))).toMatchObject({ status: 200 });
  });

  test("Spec §9: is tried three times; the third refusal is the answer", async () => {
    const { request, sent } = scripted([refused(429, "1"), refused(429, "1"), refused(429, "1")]);
    const response = (await settled(request(url))) as Response;
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ message: "wait" });
    expect(sent).toHaveLength(3);
  });

  test("is not tried again if Retry-After is longer than ten seconds, as for a locked link", async () => {
    const { request, sent } = scripted([refused(429, "300")]);
    expect(await settled(request(url))).toMatchObject({ status: 429 });
    expect(sent).toHaveLength(1);
  });

  test("is not tried again by a cancelled request", async () => {
    const cancel = new AbortController();
    const { request, sent } = scripted([refused(429, "5"), done]);
    const outcome = settled(request(url, { signal: cancel.signal }));
    cancel.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    expect(sent).toHaveLength(1);
  });
});

describe("network failures", () => {
  test("Spec §9: three attempts, 1000 ms × 2^attempt apart", async () => {
    const { request, sent } = scripted([down, down, () => Response.json([])]);
    expect(await settled(request(url))).toBeInstanceOf(Response);
    expect(sent.map(({ at }) => at)).toEqual([0, 1000, 3000]);
  });

  test("Spec §8: the third failure gives the reason", async () => {
    const { request, sent } = scripted([down, down, down]);
    expect(await settled(request(url))).toEqual(new Error("Failed to fetch after 3 attempts: Failed to fetch"));
    expect(sent).toHaveLength(3);
  });

  test("an unsafe request is sent once and fails with its own reason", async () => {
    const { request, sent } = scripted([down]);
    expect(await settled(request(url, { method: "POST" }))).toEqual(new TypeError("Failed to fetch"));
    expect(sent).toHaveLength(1);
  });

  test("a cancelled request stays cancelled", async () => {
    const cancel = new AbortController();
    const { request, sent } = scripted([
      () => {
        cancel.abort();
        return Promise.reject(new DOMException("Aborted", "AbortError"));
      },
    ]);
    expect(await settled(request(url, { signal: cancel.signal }))).toMatchObject({ name: "AbortError" });
    expect(sent).toHaveLength(1);
  });
});

describe("timeout", () => {
  /** Never answers; ends only when it is aborted. */
  const silent: Fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")));
    });

  test("Spec §8: after 120 s a request fails with 'Request timeout', once", async () => {
    const fetch = vi.fn(silent);
    const outcome = requestPolicy({ fetch, refresh: noRefresh, onExpired: () => {} })(url).catch((error) => error);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(await Promise.race([outcome, "still waiting"])).toBe("still waiting");
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ message: "Request timeout" });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test("an answered request leaves no timer behind", async () => {
    const { request } = scripted([() => Response.json([])]);
    await request(url);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an expired token", () => {
  test("Spec §8: is renewed and the request sent again with the new bearer", async () => {
    const refresh = vi.fn(async () => "new");
    const { request, sent, onExpired } = scripted([expired, () => Response.json([])], refresh);
    expect(await settled(request(url, { headers: { authorization: "Bearer old" } }))).toMatchObject({ status: 200 });
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer old", "Bearer new"]);
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(onExpired).not.toHaveBeenCalled();
  });

  test("Spec §8: is known by its message at 400 and 401, in any case, and at no other status", async () => {
    for (const [status, renewed] of [
      [400, 1],
      [401, 1],
      [403, 0],
      [500, 0],
    ] as const) {
      const refresh = vi.fn(async () => "new");
      const refusal = () => Response.json({ message: "the Jwt Expired" }, { status });
      const { request } = scripted([refusal, () => Response.json([])], refresh);
      await settled(request(url));
      expect(refresh).toHaveBeenCalledTimes(renewed);
    }
  });

  test("a plain POST is also sent again, because the server has refused the first", async () => {
    const { request, sent } = scripted([expired, () => Response.json({}, { status: 201 })], async () => "new");
    expect(await settled(request(url, { method: "POST", body: "{}" }))).toMatchObject({ status: 201 });
    expect(sent).toHaveLength(2);
  });

  test("Spec §9: renewing is tried three times, 200 ms × 2^attempt apart", async () => {
    const times: number[] = [];
    const begun = Date.now();
    const refresh = () => {
      times.push(Date.now() - begun);
      return times.length < 3 ? Promise.reject(new Error("down")) : Promise.resolve("new");
    };
    const { request } = scripted([expired, () => Response.json([])], refresh);
    expect(await settled(request(url))).toMatchObject({ status: 200 });
    expect(times).toEqual([0, 200, 600]);
  });

  test("Spec §8: a failed renewal leads to the sign-in page and fails the request", async () => {
    const refresh = vi.fn(noRefresh);
    const { request, sent, onExpired } = scripted([expired], refresh);
    expect(await settled(request(url))).toEqual(new Error("Session expired and refresh failed"));
    expect(refresh).toHaveBeenCalledTimes(3);
    expect(sent).toHaveLength(1);
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  test("a renewed token that has also expired counts as a failed attempt", async () => {
    const { request, sent, onExpired } = scripted([expired, expired, expired, expired], async () => "new");
    expect(await settled(request(url))).toEqual(new Error("Session expired and refresh failed"));
    expect(sent).toHaveLength(4);
    expect(onExpired).toHaveBeenCalledTimes(1);
  });

  test("the auth client's own requests are not repeated, because it holds a lock meanwhile", async () => {
    const refresh = vi.fn(async () => "new");
    const { request } = scripted([expired], refresh);
    expect(await settled(request("https://skies.example/auth/v1/user"))).toMatchObject({ status: 401 });
    expect(refresh).not.toHaveBeenCalled();
  });
});

const at = "https://skies.example";

test.each([
  ["GET", "/rest/v1/memories"],
  ["HEAD", "/rest/v1/memories"],
  ["PUT", "/auth/v1/user"],
  ["DELETE", "/rest/v1/memories?id=eq.1"],
  ["PATCH", "/rest/v1/memories?id=eq.1"],
  ["POST", "/storage/v1/object/sign/media"],
  ["POST", "/storage/v1/object/list/media"],
])("%s %s may be sent again", (method, path) => {
  expect(isRepeatable(at + path, { method })).toBe(true);
});

test.each([
  ["POST", "/rest/v1/memories"],
  ["POST", "/rest/v1/rpc/apply_voucher"],
  ["POST", "/functions/v1/open-share"],
  ["POST", "/auth/v1/token?grant_type=refresh_token"],
  ["POST", "/auth/v1/signup"],
  ["POST", "/storage/v1/object/media/a.jpg"],
  ["PATCH", "/storage/v1/upload/resumable/1"],
])("%s %s is sent once", (method, path) => {
  expect(isRepeatable(at + path, { method })).toBe(false);
});

test("an upsert of a row with a client-made id may be sent again", () => {
  const url = `${at}/rest/v1/memories?on_conflict=id`;
  expect(isRepeatable(url, { method: "POST", headers: { Prefer: "resolution=ignore-duplicates" } })).toBe(true);
  expect(isRepeatable(url, { method: "POST", headers: { Prefer: "return=minimal" } })).toBe(false);
});

test("a request without a method is a GET, and a Request object has its own method", () => {
  expect(isRepeatable(`${at}/config.json`)).toBe(true);
  expect(isRepeatable(new Request(`${at}/rest/v1/memories`, { method: "POST" }))).toBe(false);
  expect(isRepeatable("/rest/v1/memories")).toBe(true);
});
