import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

const storedKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("affiliate")));

test("Spec §2: a visitor reads about the affiliate programme without a header; a refusal of cookies stores no referral and is remembered on every page", async ({
  visit,
}) => {
  const en = textsIn("en");
  const page = await visit({ consent: null, viewport: { width: 360, height: 740 } });
  await page.goto("/affiliates?ref=00000000");
  await expect(page.getByRole("heading", { level: 1, name: en("affiliates:hero.title") })).toBeVisible();
  await expect(page.getByRole("banner")).toHaveCount(0);
  await expect(page.getByText("£54")).toBeVisible();
  await page.getByRole("button", { name: en("consent:decline") }).click();
  expect(await storedKeys(page)).toEqual([]);
  await page.reload();
  await expect(page.getByText("£54")).toBeVisible();
  await expect(page.getByRole("button", { name: en("consent:decline") })).toHaveCount(0);
  expect(await storedKeys(page)).toEqual([]);
  await page.goto("/pricing?ref=00000000");
  await expect(page.getByText(en("pricing:choose", { plan: "Skies Memories" })).first()).toBeVisible();
  await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
  await expect(page.getByRole("button", { name: en("consent:decline") })).toHaveCount(0);
  expect(await storedKeys(page)).toEqual([]);
});
