import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const WIDTHS = [360, 1440];

const leftEdge = async (part: Locator) => Math.round((await part.boundingBox())?.x ?? -1);

/** Expects that these parts of a page begin where the product's logo begins, on a phone and on a wide screen. */
async function expectAtLogo(page: Page, ...parts: Locator[]) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const logo = page.locator("svg:has(clipPath)").first();
    for (const part of parts) {
      await expect(part).toBeVisible();
      await expect
        .poll(async () => (await leftEdge(part)) - (await leftEdge(logo)), `${page.url()} at ${width} px`)
        .toBe(0);
    }
  }
}

test("the pages of visitors and members begin at the left edge of the logo", async ({ visit, person }) => {
  const title = (page: Page) => page.getByRole("heading", { level: 1 });
  const visitor = await visit();
  for (const path of ["/", "/affiliates"]) {
    await visitor.goto(path);
    await expectAtLogo(visitor, title(visitor));
  }
  const member = await visit({ as: await person("Ada") });
  for (const path of ["/home", "/affiliates"]) {
    await member.goto(path);
    await expectAtLogo(member, title(member));
  }
});

test("a form begins where the text that it replaces begins", async ({ visit, person }) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const { id } = await newMemory(ada.client, { person_name: "Rosa", description: "<p>She sang.</p>" });
  const page = await visit({ as: ada });
  await page.goto(`/memory/${id}`);
  const text = await leftEdge(page.getByText("She sang."));
  await page.getByRole("button", { name: say("stories:read.edit") }).click();
  const form = page.locator("form", { has: page.locator(".ProseMirror") });
  await expect(form).toBeVisible();
  expect(await leftEdge(form)).toBe(text);
  await page.getByRole("button", { name: say("memories:page.edit"), exact: true }).click();
  const names = page
    .locator("form", { has: page.getByRole("group").first() })
    .filter({ hasNot: page.locator(".ProseMirror") });
  await expect(names).toBeVisible();
  expect(await leftEdge(names)).toBe(text);
});

test("the parts of an upload-only page begin at one left edge", { tag: "@sample" }, async ({ visit, person }) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const { id } = await newMemory(ada.client, { person_name: "Rosa" });
  const link = await newRow(ada.client, "share_links", { memory_id: id, rights: "upload" }, "share_id");
  const page = await visit();
  await page.goto(`/shared/${link.share_id}`);
  const title = page.getByRole("heading", { level: 1, name: "Rosa" });
  await expectAtLogo(
    page,
    title,
    page.getByRole("region", { name: say("guests:add.titleFor", { name: "Rosa" }) }),
    page.getByRole("button", { name: say("reports:open") }),
  );
});
