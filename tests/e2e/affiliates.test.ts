import type { Page } from "@playwright/test";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("affiliate")));

test("an affiliate's visitor agrees, buys and has a receipt; the affiliate sees the sale, and not who bought", async ({
  visit,
  person,
}) => {
  const [en, it] = [textsIn("en"), textsIn("it")];
  const [ada, bruno] = [await person("Ada"), await person("Bruno")];
  const affiliate = await visit({ as: ada });
  await affiliate.goto("/affiliates");
  await affiliate.getByRole("button", { name: en("affiliates:hero.join") }).click();
  const link = affiliate.getByRole("textbox", { name: en("affiliates:link.label") });
  await expect(link).toHaveValue(/\/\?ref=[0-9A-Z]{8}$/);
  await expect(affiliate.getByRole("img", { name: en("affiliates:link.qr") })).toBeVisible();

  // Until they say yes nothing is kept; then at once.
  const page = await visit({ language: "it", consent: null });
  await page.goto(await link.inputValue());
  const yes = page.getByRole("button", { name: it("layout:consent.accept") });
  await expect(yes).toBeVisible();
  expect(await kept(page)).toEqual([]);
  const counted = page.waitForResponse((response) => response.url().endsWith("/affiliate-click"));
  await yes.click();
  await expect(yes).toHaveCount(0);
  expect((await counted).status()).toBe(200);
  await expect.poll(() => kept(page)).toContain("affiliate_referral");

  await page.goto("/pricing");
  await page.getByRole("button", { name: it("pricing:choose", { plan: "Skies Memories" }) }).click();
  await page.getByLabel(it("account:email")).fill(bruno.email);
  await page.getByLabel(it("account:password"), { exact: true }).fill(bruno.password);
  await page.getByRole("button", { name: it("account:login.submit") }).click();
  await page.getByRole("link", { name: it("cart:toCheckout") }).click();
  await page.getByRole("button", { name: it("cart:checkout.pay", { price: "€45.00" }) }).click();
  const fields = { name: "Bruno", line1: "Via Roma 1", postal_code: "50100", city: "Firenze" };
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(text);
  await page.locator("[name=number]").fill(CARD_NUMBERS.pays);
  await page.getByRole("button", { name: /€/ }).click();
  await expect(page.getByRole("heading", { name: it("cart:success.paid.title") })).toBeVisible();

  await page.goto("/orders");
  await expect(page.getByText(it("orders:status.paid"))).toBeVisible();
  await page.getByRole("link", { name: /SK-/ }).click();
  await expect(page.getByRole("heading", { name: it("orders:deliveryTitle") })).toBeVisible();
  await expect(page.getByText("Via Roma 1")).toBeVisible();
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: it("orders:receipt") }).click();
  expect((await file).suggestedFilename()).toMatch(/^Skies SK-.*\.pdf$/);

  await affiliate.reload();
  await expect(affiliate.getByText("€13.50").first()).toBeVisible();
  await expect(affiliate.getByText(/Bruno/)).toHaveCount(0);
  const csv = affiliate.waitForEvent("download");
  await affiliate.getByRole("button", { name: en("affiliates:commissions.csv") }).click();
  expect((await csv).suggestedFilename()).toBe("skies-commissions.csv");
  await affiliate.getByRole("button", { name: en("affiliates:leave.button") }).click();
  await expect(affiliate.getByRole("heading", { name: en("affiliates:left.title") })).toBeVisible();
  await affiliate.getByRole("button", { name: en("affiliates:leave.undo") }).click();
  await expect(link).toBeVisible();
});

test("Spec §2: a visitor reads about the programme without a header; a no keeps nothing, on any page, and is asked once", async ({
  visit,
}) => {
  const en = textsIn("en");
  const page = await visit({ consent: null, viewport: { width: 360, height: 740 } });
  await page.goto("/affiliates?ref=00000000");
  await expect(page.getByRole("heading", { level: 1, name: en("affiliates:hero.title") })).toBeVisible();
  await expect(page.getByRole("banner")).toHaveCount(0);
  await expect(page.getByText("£54")).toBeVisible();
  await page.getByRole("button", { name: en("layout:consent.decline") }).click();
  expect(await kept(page)).toEqual([]);
  await page.reload();
  await expect(page.getByText("£54")).toBeVisible();
  await expect(page.getByRole("button", { name: en("layout:consent.decline") })).toHaveCount(0);
  expect(await kept(page)).toEqual([]);
});
