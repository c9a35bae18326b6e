import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";

const MOST_BYTES = 150 * 1024;

/** Opens a path and gives the JavaScript that came for it, in bytes as they travelled, once nothing more comes. */
async function scriptsOf(page: Page, path: string) {
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "script") sizes.push(request.sizes().then((size) => size.responseBodySize));
  });
  await page.goto(path, { waitUntil: "networkidle" });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test("a visitor's first page comes with at most 150 KB of JavaScript", async ({ visit }) => {
  const page = await visit();
  expect(await scriptsOf(page, "/")).toBeLessThanOrEqual(MOST_BYTES);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a share's door comes with at most 150 KB of JavaScript", async ({ visit, person }) => {
  const { client } = await person("Ada");
  const { data } = await client.from("memories").insert({ person_name: "Grandpa" }).select("id, share_id").single();
  const link = await client.from("share_links").select("id").eq("memory_id", data?.id).single();
  await client.functions.invoke("share-pin", { body: { linkId: link.data?.id, pin: "0417" } });

  const page = await visit();
  expect(await scriptsOf(page, `/shared/${data?.share_id}`)).toBeLessThanOrEqual(MOST_BYTES);
  await expect(page.getByRole("textbox").first()).toBeVisible();
});
