import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { LONG, sampled } from "../support/long-tests.ts";
import { photoPaths } from "../support/photos.ts";

const READ = /\/(rest|functions)\/v1\//;
const keyOf = (url: string) => new URL(url).pathname + new URL(url).search;

/** Opens a page while the reads that match fail, or have no answer; returns how often each of them was requested. */
async function requestsOf(page: Page, path: string, fails: (url: string) => boolean, how: "500" | "abort" = "500") {
  const requests = new Map<string, number>();
  // The page before may read once more while this one opens.
  await page.goto("about:blank");
  await page.route(READ, (route, request) => {
    const url = request.url();
    if (!fails(url)) return route.fallback();
    requests.set(keyOf(url), (requests.get(keyOf(url)) ?? 0) + 1);
    if (how === "abort") return route.abort();
    return route.fulfill({ status: 500, json: { message: "Internal error" } });
  });
  await page.goto(path);
  // A page that requests again and again is never idle.
  await page.waitForLoadState("networkidle");
  return requests;
}

/** The reads of an open page. */
async function readsOf(page: Page, path: string): Promise<string[]> {
  const reads = new Set<string>();
  await page.route(READ, (route, request) => {
    reads.add(keyOf(request.url()));
    return route.fallback();
  });
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  await page.unrouteAll({ behavior: "wait" });
  return [...reads];
}

test("Spec §8: a page whose parts cannot load says so, shows the rest and does not request them again", async ({
  visit,
  person,
  expectedErrors,
}) => {
  if (LONG) test.setTimeout(1_800_000);
  expectedErrors.push(/status of 500|Failed to|ERR_FAILED/);
  const ada = await person("Ada", { plan: "skies-memories" });
  const memory = await memoryWith(ada, await photoPaths("gps-nikon.jpg"));
  await ada.client.from("cart_items").insert({ user_id: ada.id, plan_id: "skies-pro", currency: "GBP" }).throwOnError();
  const page = await visit({ as: ada });

  // Neither does the connection for changes, which opens after the reads. An unanswered read is tried three times.
  const attempts = await requestsOf(page, "/orders", (url) => url.includes("/rest/v1/orders"), "abort");
  await expect(page.getByText("Failed to load orders", { exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...attempts.values()]).toEqual([3]);
  await page.unrouteAll({ behavior: "wait" });

  const statistics = await requestsOf(page, "/dashboard", (url) => url.includes("/rpc/storage_stats"));
  await expect(page.getByText("Failed to calculate storage stats", { exact: true })).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Recently deleted" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Recent activity" })).toBeVisible();
  expect([...statistics.values()]).toEqual([1]);
  await page.unrouteAll({ behavior: "wait" });

  const member = ["/dashboard", `/memory/${memory.id}`, "/profile", "/checkout", "/subscribe", "/orders", "/notices"];
  const others = [
    "/",
    `/memory/${memory.id}/waiting`,
    "/memory/new",
    "/groups",
    "/cart",
    "/cards",
    "/pricing",
    "/shop",
  ];
  const repeated: string[] = [];
  // What a link opens has a cache of its own.
  const guest = await visit();
  for (const [how, most] of [
    ["abort", 3],
    ["500", 1],
  ] as const) {
    const requests = await requestsOf(guest, `/shared/${memory.share_id}`, (url) => url.includes("/rest/v1/"), how);
    await guest.unrouteAll({ behavior: "wait" });
    for (const [url, count] of requests) if (count > most) repeated.push(`a link (${how}): ${count} × ${url}`);
  }
  for (const path of LONG ? [...member, ...others] : sampled(member, 4)) {
    // One failure beside parts that work, and all at once.
    const single = LONG ? await readsOf(page, path) : [];
    for (const failing of [undefined, ...single]) {
      const requests = await requestsOf(page, path, (url) => !failing || keyOf(url) === failing);
      await page.unrouteAll({ behavior: "wait" });
      for (const [url, count] of requests) if (count > 1) repeated.push(`${path}: ${count} × ${url}`);
    }
  }
  expect(repeated).toEqual([]);
});
