import type { Page } from "@playwright/test";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { expect, test } from "../support/e2e.ts";
import { sampled } from "../support/long-tests.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

interface Row {
  buys: { plan_id?: string; product_id?: string };
  /** The parameter of the URL from this purchase on. */
  comes?: "by a link" | "with a voucher";
  card: keyof typeof CARD_NUMBERS;
  price: string;
}

const CARD = { product_id: "metal-card" };
/** Each plan and the card in each currency, and every course of a payment and its events. */
const TABLE: Record<"en" | "it", Row[]> = {
  en: [
    { buys: { plan_id: "skies-memories" }, card: "twice", price: "£45.00" },
    { buys: { plan_id: "skies-pro" }, comes: "by a link", card: "backwards", price: "£120.00" },
    { buys: { plan_id: "skies-master" }, comes: "with a voucher", card: "slow", price: "£162.00" },
    { buys: CARD, card: "declined", price: "£22.50" },
  ],
  it: [
    { buys: CARD, card: "late", price: "€25.00" },
    { buys: { plan_id: "skies-master" }, card: "fails", price: "€180.00" },
    { buys: { plan_id: "skies-pro" }, comes: "with a voucher", card: "twice", price: "€108.00" },
    { buys: { plan_id: "skies-memories" }, comes: "by a link", card: "pays", price: "€40.50" },
  ],
};

/** Fills in the provider's page, with a delivery address, and pays. */
async function payWith(page: Page, card: keyof typeof CARD_NUMBERS) {
  await expect(page).toHaveURL(/\/sandbox\/payments\/pay\//);
  const fields = { name: "Ada Bellini", line1: "1 High Street", postal_code: "BA1 1AA", city: "Bath" };
  for (const [name, text] of Object.entries({ ...fields, number: CARD_NUMBERS[card] })) {
    await page.locator(`[name=${name}]`).fill(text);
  }
  await page.locator("button.pay").click();
}

for (const [language, rows] of sampled(Object.entries(TABLE), 1) as ["en" | "it", Row[]][]) {
  test(`every plan and the card are bought in ${language === "it" ? "euros" : "pounds"}, even if the bank refuses or its events come late or twice`, async ({
    server,
    visit,
    person,
  }) => {
    const say = textsIn(language);
    const [ada, affiliate] = [await person("Ada"), await person("Affiliate")];
    const joined = await newRow(affiliate.client, "affiliates", {}, "code");
    const voucher = `TENTH-${language.toUpperCase()}`;
    await server.service().from("vouchers").insert({ code: voucher, percentage: 10 }).throwOnError();
    const page = await visit({ as: ada, language, consent: "accepted" });
    // The price on the page is the price to pay, even before the server has answered that the cart's rows are in euros.
    await page.route(/rest\/v1\/cart_items/, (route) =>
      route.request().method() === "PATCH" ? undefined : route.fallback(),
    );
    const pay = (price: string) => page.getByRole("button", { name: say("cart:checkout.pay", { price }) }).click();
    const mailOf = (outcome: "paid" | "pending" | "failed") =>
      expect(page.getByRole("heading", { name: say(`cart:success.${outcome}.title`) })).toBeVisible();

    for (const { buys, comes, card, price } of rows) {
      await ada.client.from("cart_items").insert(buys).throwOnError();
      const query = { "by a link": `?ref=${joined.code}`, "with a voucher": `?voucher=${voucher}` };
      await page.goto(`/checkout${comes ? query[comes] : ""}`);
      await pay(price);
      await payWith(page, card);
      if (card === "declined") {
        await expect(page.getByRole("alert")).toBeVisible();
        await payWith(page, "pays");
      }
      if (card === "slow" || card === "late" || card === "fails") {
        await mailOf("pending");
        await page.request.post("/sandbox/payments/release");
      }
      if (card === "fails") {
        await mailOf("failed");
        // Unpaid items are still in the cart.
        await page.goto("/checkout");
        await pay(price);
        await payWith(page, "pays");
      }
      await mailOf("paid");
      await expect(page.getByText(price).first()).toBeVisible();
    }

    const { data } = await ada.client
      .from("orders")
      .select("status, total, voucher_code")
      .order("created_at")
      .throwOnError();
    const [plain, off] = [
      { status: "paid", voucher_code: null },
      { status: "paid", voucher_code: voucher },
    ];
    const bought = {
      en: [
        { ...plain, total: 4500 },
        { ...plain, total: 12_000 },
        { ...off, total: 16_200 },
        { ...off, total: 2250 },
      ],
      it: [
        { ...plain, total: 2500 },
        { ...plain, status: "failed", total: 18_000 },
        { ...plain, total: 18_000 },
        { ...off, total: 10_800 },
        { ...off, total: 4050 },
      ],
    };
    expect(data).toEqual(bought[language]);
    const commissions = await affiliate.client.from("commissions").select("amount").order("earned_at").throwOnError();
    expect(commissions.data.map(({ amount }) => amount)).toEqual({ en: [3600, 4860, 675], it: [1215] }[language]);
  });
}

test("two tabs and the back button lead to one payment page; a changed or paid order closes it", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  await ada.client.from("cart_items").insert({ plan_id: "skies-memories" }).throwOnError();
  const first = await visit({ as: ada });
  const second = await first.context().newPage();
  const pay = async (page: Page, price: string) => {
    await page.getByRole("button", { name: say("cart:checkout.pay", { price }) }).click();
    await expect(page).toHaveURL(/\/sandbox\/payments\/pay\//);
  };
  await first.goto("/checkout");
  await second.goto("/checkout");
  await pay(first, "£45.00");
  const page = first.url();
  await first.goBack();
  await pay(first, "£45.00");
  await pay(second, "£45.00");
  expect([first.url(), second.url()]).toEqual([page, page]);

  // A changed order in the other tab closes the payment page of the first.
  await ada.client.from("cart_items").insert(CARD).throwOnError();
  await second.goto("/checkout");
  await pay(second, "£70.00");
  await first.reload();
  await expect(first.locator("button.pay")).toHaveCount(0);
  await first.getByRole("link").first().click();
  await expect(first).toHaveURL(/\/cart$/);
  await payWith(second, "pays");
  await expect(second.getByRole("heading", { name: say("cart:success.paid.title") })).toBeVisible();
  // Paid items also disappear from the cart in the other tab.
  await expect(first.getByText(say("cart:emptyTitle"))).toBeVisible();
  // The browser's back button leads to a payment page that is closed.
  await second.goBack();
  await second.reload();
  await expect(second.locator("button.pay")).toHaveCount(0);

  const { data } = await ada.client.from("orders").select("status, total").order("created_at").throwOnError();
  expect(data).toEqual([
    { status: "expired", total: 4500 },
    { status: "paid", total: 7000 },
  ]);
});
