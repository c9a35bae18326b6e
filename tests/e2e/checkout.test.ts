import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

/** Pays on the sandbox's page, where cards also say where they go. */
async function payWith(page: Page, number: string, words: { number: string; pay: RegExp }) {
  await expect(page).toHaveURL(/\/sandbox\/payments\/pay\//);
  const fields = { name: "Ada Bellini", line1: "1 High Street", postal_code: "BA1 1AA", city: "Bath" };
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(text);
  await page.getByLabel(words.number).fill(number);
  await page.getByRole("button", { name: words.pay }).click();
}

test("a plan and a card are bought with a voucher, in pounds, from choosing as a visitor to the order", async ({
  visit,
  person,
  server,
}) => {
  const say = textsIn("en");
  const inEnglish = { number: "Card number", pay: /^Pay £/ };
  await server.service().from("vouchers").insert({ code: "FAMILY", percentage: 10 }).throwOnError();
  const ada = await person("Ada");
  const page = await visit();
  await page.goto("/pricing?voucher=family");
  await page.getByRole("button", { name: say("pricing:choose", { plan: "Skies Memories" }) }).click();
  await page.getByLabel(say("account:email")).fill(ada.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: say("account:login.submit") }).click();

  // What was chosen before signing in is there, with the voucher off.
  await expect(page).toHaveURL(/\/cart$/);
  const total = page.locator("dl").getByText("£40.50");
  await expect(total).toBeVisible();

  // What comes into the cart anywhere is here at once.
  await ada.client.from("cart_items").insert({ product_id: "metal-card", quantity: 1 }).throwOnError();
  await expect(page.getByRole("link", { name: say("cart:badge", { count: 2 }) })).toBeVisible();
  await page.getByRole("button", { name: say("cart:more", { name: "Metal card" }) }).click();
  await expect(page.locator("dl").getByText("£85.50")).toBeVisible();
  await page.getByRole("button", { name: say("cart:remove", { name: "Metal card" }) }).click();
  await expect(total).toBeVisible();
  await page.getByRole("button", { name: say("cart:undo") }).click();
  await expect(page.locator("dl").getByText("£85.50")).toBeVisible();

  await page.getByRole("link", { name: say("cart:toCheckout") }).click();
  await expect(page.getByRole("button", { name: say("cart:checkout.pay", { price: "£85.50" }) })).toBeVisible();
  await page.getByRole("button", { name: say("cart:checkout.pay", { price: "£85.50" }) }).click();

  await payWith(page, CARD_NUMBERS.declined, inEnglish);
  await expect(page.getByRole("alert")).toContainText("declined");
  await expectAccessible(page);
  // The browser's own way back, and forth again: the same page, and still one order.
  await page.goto("/checkout");
  await page.getByRole("button", { name: say("cart:checkout.pay", { price: "£85.50" }) }).click();
  await payWith(page, CARD_NUMBERS.pays, inEnglish);
  await expect(page).toHaveURL(/\/success\?order=/);
  await expect(page.getByRole("heading", { name: say("cart:success.paid.title") })).toBeVisible();
  await expect(page.getByText("£85.50")).toBeVisible();
  await expect(page.getByRole("link", { name: say("cart:title"), exact: true })).toBeVisible();

  const { data } = await ada.client.from("orders").select("status, total, voucher_code").throwOnError();
  expect(data).toEqual([{ status: "paid", total: 8550, voucher_code: "FAMILY" }]);
  const letters = () => fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(ada.email)}`);
  await expect.poll(async () => (await letters()).text()).toContain("£85.50");
});

test("on a telephone, in Italian and euros: thought over, clicked twice, and told late", async ({
  visit,
  person,
  server,
}) => {
  const say = textsIn("it");
  await server.service().from("vouchers").insert({ code: "NEARLY", percentage: 99.9 }).throwOnError();
  const inItalian = { number: "Numero della carta", pay: /^Paga €/ };
  const ada = await person("Ada");
  await ada.client.from("cart_items").insert({ product_id: "metal-card", quantity: 10 }).throwOnError();
  const page = await visit({ as: ada, language: "it", viewport: { width: 360, height: 740 } });
  // What no bank would take is said before anybody presses a button, and the button does nothing.
  await page.goto("/checkout?voucher=nearly");
  const tooSmall = page.getByText(say("cart:refusal.total_too_small", { least: "€0.50" }), { exact: true });
  await expect(tooSmall).toBeVisible();
  await expect(page.getByRole("button", { name: say("cart:checkout.pay", { price: "€0.24" }) })).toBeDisabled();
  await page.goto("/cart");
  await page.getByRole("button", { name: say("vouchers:remove"), exact: true }).click();
  await expect(tooSmall).toHaveCount(0);
  // Ten cards cost 5% less, and whoever reads Italian pays in euros.
  await expect(page.locator("dl").getByText("€237.50")).toBeVisible();
  await page.goto("/checkout");
  const pay = page.getByRole("button", { name: say("cart:checkout.pay", { price: "€237.50" }) });
  await pay.dblclick();
  await expect(page).toHaveURL(/\/sandbox\/payments\/pay\//);
  await page.getByRole("link", { name: "Torna indietro senza pagare" }).click();
  await expect(page).toHaveURL(/\/cart$/);

  await page.goto("/checkout");
  await pay.click();
  await payWith(page, CARD_NUMBERS.late, inItalian);
  await expect(page.getByRole("heading", { name: say("cart:success.pending.title") })).toBeVisible();
  await page.request.post("/sandbox/payments/release");
  await expect(page.getByRole("heading", { name: say("cart:success.paid.title") })).toBeVisible();
  const { data } = await ada.client.from("orders").select("status, currency, total").throwOnError();
  expect(data).toEqual([{ status: "paid", currency: "EUR", total: 23_750 }]);
  await page.goto("/cart");
  await expect(page.getByText(say("cart:emptyTitle"))).toBeVisible();
});
