import { describe, expect, test, vi } from "vitest";
import { RetryLaterError } from "../../shared/request-error.ts";
import { type FairQueueSettings, fairQueue } from "./fair-queue.ts";

const key = (caller: string, address = `home of ${caller}`) => ({ address, caller });

/** A queue that records its grants in order. */
function recorded(settings: Partial<FairQueueSettings> = {}) {
  const queue = fairQueue({ width: 8, maxWaitMs: 10_000, maxWaitingPerAddress: 1000, ...settings });
  const started: string[] = [];
  const running: { caller: string; release(): void }[] = [];
  const ask = (caller: string, address?: string) => {
    const admission = queue.acquire(caller === "server" ? undefined : key(caller, address)).then((release) => {
      started.push(caller);
      running.push({ caller, release });
    });
    // Waiting requests are refused after the test, without a handler.
    admission.catch(() => {});
    return admission;
  };
  /** Ends the oldest work of a caller, so that the next begins. */
  const end = async (caller: string) => {
    const [work] = running.splice(
      running.findIndex((one) => one.caller === caller),
      1,
    );
    work?.release();
    await settle();
  };
  const counts = (caller: string) => running.filter((one) => one.caller === caller).length;
  return { queue, ask, end, started, counts };
}
/** Lets settled promises run their handlers. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("how many slots one caller gets", () => {
  test("at most half of them, however many requests it sends", async () => {
    const { ask, counts } = recorded();
    for (let n = 0; n < 20; n++) void ask("hog");
    await settle();
    expect(counts("hog")).toBe(4);
  });

  test("other callers start at once meanwhile", async () => {
    const { ask, started } = recorded();
    for (let n = 0; n < 20; n++) void ask("hog");
    await ask("ada");
    await ask("bob");
    expect(started.slice(4)).toEqual(["ada", "bob"]);
  });

  test("many callers at one address leave slots to another address", async () => {
    const { ask, started, counts } = recorded();
    for (let n = 0; n < 40; n++) void ask(`puppet ${n}`, "one address");
    await settle();
    expect(started.length).toBeLessThan(8);
    await ask("ada");
    expect(counts("ada")).toBe(1);
  });
});

describe("turns", () => {
  test("rotate between addresses, whichever came first", async () => {
    const { ask, end, started } = recorded({ width: 1 });
    for (const caller of ["first", "hog", "hog", "hog", "ada", "bob"]) void ask(caller);
    await settle();
    for (const caller of ["first", "hog", "ada", "bob", "hog"]) await end(caller);
    expect(started).toEqual(["first", "hog", "ada", "bob", "hog", "hog"]);
  });

  test("rotate between the callers of one address", async () => {
    const { ask, end, started } = recorded({ width: 1 });
    for (const caller of ["first", "son", "son", "mother"]) void ask(caller, "home");
    await settle();
    for (const caller of ["first", "son", "mother"]) await end(caller);
    expect(started).toEqual(["first", "son", "mother", "son"]);
  });

  test("include the server's own work, which has no maximum wait", async () => {
    vi.useFakeTimers();
    try {
      const { ask, started, queue } = recorded({ width: 1, maxWaitMs: 100 });
      const release = await queue.acquire(key("hog"));
      void ask("server");
      await vi.advanceTimersByTimeAsync(1000);
      release();
      await vi.advanceTimersByTimeAsync(0);
      expect(started).toEqual(["server"]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("waiting ends", () => {
  test("with 503 and Retry-After after the maximum wait, and the slot goes to the next caller", async () => {
    vi.useFakeTimers();
    try {
      const { queue, ask, started } = recorded({ width: 1, maxWaitMs: 100 });
      const release = await queue.acquire(key("hog"));
      const late = queue.acquire(key("ada")).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(100);
      expect(await late).toBeInstanceOf(RetryLaterError);
      expect(await late).toMatchObject({ status: 503, retryAfter: 1 });
      void ask("bob");
      release();
      await vi.advanceTimersByTimeAsync(0);
      expect(started).toEqual(["bob"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("at once for an address with too many waiting requests, and not for other addresses", async () => {
    const { queue, ask, end, counts } = recorded({ width: 1, maxWaitingPerAddress: 2 });
    for (let n = 0; n < 3; n++) void ask("hog");
    await settle();
    await expect(queue.acquire(key("hog"))).rejects.toMatchObject({ status: 503 });
    void ask("ada");
    await end("hog");
    await end("hog");
    expect(counts("ada")).toBe(1);
  });
});

test("the refusal of a full line says when there is room in it", async () => {
  vi.useFakeTimers();
  try {
    const { queue, ask } = recorded({ width: 1, maxWaitMs: 10_000, maxWaitingPerAddress: 2 });
    await queue.acquire(key("hog"));
    void ask("hog");
    await vi.advanceTimersByTimeAsync(2500);
    void ask("hog");
    const retryAfter = 8;
    await expect(queue.acquire(key("hog"))).rejects.toMatchObject({ status: 503, retryAfter });
    await vi.advanceTimersByTimeAsync((retryAfter - 1) * 1000);
    await expect(queue.acquire(key("hog"))).rejects.toMatchObject({ retryAfter: 1 });
    await vi.advanceTimersByTimeAsync(1000);
    void ask("hog");
    expect(queue.load()).toEqual({ working: 1, waiting: 2 });
  } finally {
    vi.useRealTimers();
  }
});

test("a slot that is released twice counts once", async () => {
  const { queue, ask, counts } = recorded({ width: 1 });
  const release = await queue.acquire(key("ada"));
  release();
  release();
  await ask("bob");
  void ask("cy");
  await settle();
  expect(counts("cy")).toBe(0);
});

test("after any order of requests, no slot is lost and the total stays within the width", async () => {
  const { ask, end, started, counts } = recorded({ width: 5 });
  const callers = ["a", "b", "c", "d"];
  for (let n = 0; n < 200; n++) {
    void ask(callers[(n * 7) % 4] ?? "a", n % 3 === 0 ? "shared" : undefined).catch(() => {});
    await settle();
    expect(callers.reduce((sum, caller) => sum + counts(caller), 0)).toBeLessThanOrEqual(5);
    const busy = callers.find((caller) => counts(caller) > 0);
    if (busy && n % 2 === 0) await end(busy);
  }
  while (started.length < 200) {
    const busy = callers.find((caller) => counts(caller) > 0);
    if (!busy) break;
    await end(busy);
  }
  expect(started).toHaveLength(200);
});
