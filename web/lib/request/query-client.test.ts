import { readdirSync, readFileSync } from "node:fs";
import { QueryObserver } from "@tanstack/react-query";
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
