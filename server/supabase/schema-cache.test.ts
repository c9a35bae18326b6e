import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSchemaCache } from "./schema-cache.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a cache whose value is the number of its reads. */
function countingCache() {
  let readings = 0;
  const cache = openSchemaCache(async () => {
    readings += 1;
    return readings;
  });
  return { cache, readings: () => readings };
}

test("a thousand requests to refresh within a second read the schema once", async () => {
  const { cache, readings } = countingCache();
  expect(await cache.get()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await Promise.all(Array.from({ length: 1000 }, cache.refresh))).toEqual(Array(1000).fill(2));
  await vi.advanceTimersByTimeAsync(999);
  expect(await cache.refresh()).toBe(2);
  expect(readings()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await cache.refresh()).toBe(3);
});

test("an invalidated value is read again once a second has passed, without a request", async () => {
  const { cache, readings } = countingCache();
  await cache.get();
  for (let times = 0; times < 10; times++) cache.invalidate();
  expect(await cache.get()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(readings()).toBe(2);
  expect(await cache.get()).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(readings()).toBe(2);
});

test("an invalidation during a reading causes another reading", async () => {
  let finish = () => {};
  let readings = 0;
  const cache = openSchemaCache(async () => {
    readings += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return readings;
  });
  const first = cache.get();
  cache.invalidate();
  finish();
  expect(await first).toBe(1);
  await vi.advanceTimersByTimeAsync(2000);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(await cache.get()).toBe(2);
});

test("a failed reading is reported to its callers, and the known value stays", async () => {
  let fails = true;
  const cache = openSchemaCache(async () => {
    if (fails) throw new Error("no connection");
    return "schema";
  });
  await expect(cache.get()).rejects.toThrow("no connection");
  fails = false;
  expect(await cache.get()).toBe("schema");
  fails = true;
  await vi.advanceTimersByTimeAsync(1000);
  await expect(cache.refresh()).rejects.toThrow("no connection");
  expect(await cache.get()).toBe("schema");
});
