import { readdirSync, readFileSync } from "node:fs";
import { environmentManager, isServer, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { newQueryClient } from "./query-client.ts";

test("no cache of the app repeats requests itself: the request policy would multiply them", () => {
  const files = readdirSync("web", { recursive: true }).map((name) => `web/${name}`);
  const caches = files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .flatMap((file) => readFileSync(file, "utf8").match(/new QueryClient\([^;]*/g) ?? []);
  expect(caches.length).toBeGreaterThan(0);
  expect(caches.filter((cache) => !cache.includes("retry: false"))).toEqual([]);
});

test("a query that has failed is not requested again when parts of its page mount", async () => {
  const cache = newQueryClient(0);
  const queryFn = vi.fn(() => Promise.reject(new Error("500")));
  const mount = () => new QueryObserver(cache, { queryKey: ["photos"], queryFn }).subscribe(() => {});
  const page = mount();
  await vi.waitFor(() => expect(cache.getQueryState(["photos"])?.status).toBe("error"), { timeout: 5000 });
  mount()();
  mount();
  expect(queryFn).toHaveBeenCalledTimes(1);
  page();
});

test("shown data whose reload failed are read again after a minute, until they are read", async () => {
  vi.useFakeTimers();
  // A server repeats nothing.
  environmentManager.setIsServer(() => false);
  try {
    const cache = newQueryClient(0);
    let isUp = true;
    const queryFn = vi.fn(async () => {
      if (!isUp) throw new Error("500");
      return queryFn.mock.calls.length;
    });
    const stop = new QueryObserver(cache, { queryKey: ["photos"], queryFn }).subscribe(() => {});
    const readsAfter = async (seconds: number) => {
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      return queryFn.mock.calls.length;
    };
    expect(await readsAfter(600)).toBe(1);
    isUp = false;
    for (const _change of [1, 2]) await cache.invalidateQueries({ queryKey: ["photos"] });
    expect(await readsAfter(59)).toBe(3);
    expect(await readsAfter(2)).toBe(4);
    expect(await readsAfter(60)).toBe(5);
    isUp = true;
    expect(await readsAfter(60)).toBe(6);
    expect(cache.getQueryData(["photos"])).toBe(6);
    expect(await readsAfter(3600)).toBe(6);
    isUp = false;
    await cache.invalidateQueries({ queryKey: ["photos"] });
    stop();
    expect(await readsAfter(3600)).toBe(7);
  } finally {
    environmentManager.setIsServer(() => isServer);
    vi.useRealTimers();
  }
});
