import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";

const MOST_BYTES = 150 * 1024;

/**
 * Opens a path and gives the JavaScript, in bytes as they travelled, that was asked for before `shown` stood on the
 * page. What a page fetches ahead once it can be used is not counted.
 */
async function scriptsBefore(shown: string, page: Page, path: string) {
  await page.addInitScript((selector) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(selector)) return;
      performance.mark("shown");
      observer.disconnect();
    });
    observer.observe(document, { childList: true, subtree: true });
  }, shown);
  await page.goto(path, { waitUntil: "networkidle" });
  await expect(page.locator(shown).first()).toBeVisible();
  return page.evaluate(() => {
    const until = performance.getEntriesByName("shown")[0]?.startTime ?? Number.POSITIVE_INFINITY;
    return performance
      .getEntriesByType("resource")
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name, startTime }) => new URL(name).pathname.endsWith(".js") && startTime <= until)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
}

test("a visitor's first page comes with at most 150 KB of JavaScript", async ({ visit }) => {
  const bytes = await scriptsBefore("h1", await visit(), "/");
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("a share's door comes with at most 150 KB of JavaScript", async ({ visit, person, expectedErrors }) => {
  // The answer that there is a PIN to ask for.
  expectedErrors.push(/open-share.*status of 401/);
  const { client } = await person("Ada");
  const { data } = await client.from("memories").insert({ person_name: "Grandpa" }).select("id, share_id").single();
  const link = await client.from("share_links").select("id").eq("memory_id", data?.id).single();
  await client.functions.invoke("share-pin", { body: { linkId: link.data?.id, pin: "0417" } });

  const bytes = await scriptsBefore("input", await visit(), `/shared/${data?.share_id}`);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
