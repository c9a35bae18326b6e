import type { Page } from "@playwright/test";
import { expect, PHONE, test } from "../support/e2e.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";

/** Twice the browser's default, in CSS pixels. */
const LARGE_TEXT = "32px";

/** Opens a page with large text. Fails when it is wider than the window. */
async function expectRoom(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole("heading").first()).toBeVisible();
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, LARGE_TEXT);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width, `the width of ${path}`).toBeLessThanOrEqual(PHONE.viewport.width);
}

for (const language of ["en", "it"] as const) {
  test(`with text of twice the size, no page scrolls sideways on a phone (${language})`, async ({ visit, person }) => {
    const ada = await person("Ada");
    const { id, share_id } = await newMemory(ada.client, { person_name: "Rosa", description: "<p>She sang.</p>" });
    await shareFirstLink(ada.client, id);
    await ada.client.from("albums").insert({ name: "Famiglia Bellini" }).throwOnError();
    await ada.client.from("cart_items").insert({ product_id: "metal-card", quantity: 12 }).throwOnError();
    const visitor = await visit({ language, ...PHONE });
    for (const path of [
      "/",
      "/help",
      "/pricing",
      "/register",
      "/login",
      "/about",
      "/contact-us",
      "/get-started",
      "/shop",
      "/affiliates",
      `/shared/${share_id}`,
    ]) {
      await expectRoom(visitor, path);
    }
    const member = await visit({ as: ada, language, ...PHONE });
    for (const path of ["/", "/home", "/dashboard", "/groups", "/cart", "/checkout", "/memory/new", `/memory/${id}`]) {
      await expectRoom(member, path);
      const menu = await member.getByRole("banner").getByRole("button").last().boundingBox();
      expect((menu?.x ?? 0) + (menu?.width ?? 0), `the menu of ${path}`).toBeLessThanOrEqual(PHONE.viewport.width);
    }
  });
}
