import type { Page } from "@playwright/test";
import { expectAccessible } from "../../support/accessibility.ts";
import { CARD_NUMBERS } from "../../support/card-numbers.ts";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { eventsTold } from "../../support/journey.ts";
import { textsIn } from "../../support/texts.ts";

const [en, it] = [textsIn("en"), textsIn("it")];

/** Pays on the sandbox's page, which also asks for the delivery address of cards. */
async function payWith(page: Page, number: string) {
  await expect(page).toHaveURL(/\/sandbox\/payments\/pay\//);
  const fields = { name: "Bruno Verdi", line1: "Via Roma 1", postal_code: "50100", city: "Firenze" };
  for (const [name, text] of Object.entries({ ...fields, number })) await page.locator(`[name=${name}]`).fill(text);
  await page.getByRole("button", { name: /^Paga €/ }).click();
}

/** Answers the bank's page about a payment (3-D Secure). */
async function answerBank(page: Page, answer: "confirm" | "refuse") {
  await expect(page).toHaveURL(/\/sandbox\/payments\/challenge\//);
  await expectAccessible(page);
  const button = { confirm: "Conferma il pagamento", refuse: "Non confermare" }[answer];
  await page.getByRole("button", { name: button, exact: true }).click();
}

const keptReferral = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("affiliate")));

test("a plan and three cards are bought on a phone by an affiliate's link with a voucher, engraved, and one is given away", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  // A wrong activation code, and the memory of a lost card.
  expectedErrors.push(/status of (40[14]|410)/);
  await server.service().from("vouchers").insert({ code: "FAMILY", percentage: 10 }).throwOnError();
  const [ada, bruno, gina] = [await person("Ada"), await person("Bruno"), await person("Gina")];
  await gina.client.from("memories").insert({ person_name: "Nonno Aldo" }).throwOnError();

  // An affiliate shares their link, with a voucher.
  const affiliate = await visit({ ...PHONE, as: ada });
  await affiliate.goto("/affiliates");
  await affiliate.getByRole("button", { name: en("affiliates:hero.join") }).click();
  const link = affiliate.getByRole("textbox", { name: en("affiliates:link.label") });
  await expect(link).toHaveValue(/\/\?ref=[0-9A-Z]{8}$/);
  await expect(affiliate.getByRole("img", { name: en("affiliates:link.qr") })).toBeVisible();

  // The referral is stored only after the visitor has consented, and then at once.
  const page = await visit({ ...PHONE, consent: null });
  await page.goto(`${await link.inputValue()}&voucher=family`);
  const yes = page.getByRole("button", { name: en("consent:accept") });
  await expect(yes).toBeVisible();
  expect(await keptReferral(page)).toEqual([]);
  const counted = page.waitForResponse((response) => response.url().endsWith("/affiliate-click"));
  await yes.click();
  await expect(yes).toHaveCount(0);
  expect((await counted).status()).toBe(200);
  await expect.poll(() => keptReferral(page)).toContain("affiliate_referral");

  // Prices in pounds, then in the reader's own language and in euros, with the voucher's discount.
  await page.getByLabel(en("layout:menu")).click();
  await page.getByRole("link", { name: en("layout:pricing"), exact: true }).click();
  await expect(page.getByText("£40.50", { exact: true })).toBeVisible();
  await page.getByRole("radio", { name: "Italiano" }).check();
  await expect(page.getByText("€40.50", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: it("pricing:choose", { plan: "Skies Memories" }) }).click();
  await page.getByLabel(it("account:email")).fill(bruno.email);
  await page.getByLabel(it("account:password"), { exact: true }).fill(bruno.password);
  await page.getByRole("button", { name: it("account:login.submit") }).click();
  await expect(page).toHaveURL(/\/cart$/);
  const total = (price: string) => page.locator("dl").getByText(price);
  await expect(total("€40.50")).toBeVisible();

  // Three cards are added. Removing them is undone.
  await page.goto("/shop");
  await page.getByLabel(it("cards:words.name"), { exact: true }).fill("Rosa Bianchi");
  await page.getByLabel(it("cards:words.dates")).fill("1931 – 2024");
  await page.getByRole("button", { name: it("cards:shop.more") }).click();
  await page.getByRole("button", { name: it("cards:shop.add") }).click();
  await page.getByRole("link", { name: it("cards:shop.seeCart") }).click();
  await expect(total("€85.50")).toBeVisible();
  const card = it("cart:card");
  await page.getByRole("button", { name: it("cart:more", { name: card }) }).click();
  await expect(total("€108.00")).toBeVisible();
  await page.getByRole("button", { name: it("cart:remove", { name: card }) }).click();
  await expect(total("€40.50")).toBeVisible();
  await page.getByRole("button", { name: it("cart:undo") }).click();
  await expect(total("€108.00")).toBeVisible();

  // The bank declines once, and two confirmations to the bank fail. Nothing is charged.
  await page.getByRole("link", { name: it("cart:toCheckout") }).click();
  const pay = page.getByRole("button", { name: it("cart:checkout.pay", { price: "€108.00" }) });
  await pay.click();
  await payWith(page, CARD_NUMBERS.declined);
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
  const emailText = async () =>
    (await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(bruno.email)}`)).text();
  for (const [card, answer] of [
    [CARD_NUMBERS.challengeFails, "confirm"],
    [CARD_NUMBERS.challenged, "refuse"],
  ] as const) {
    await payWith(page, card);
    await answerBank(page, answer);
    await expect(page.getByRole("alert")).toContainText(
      /La banca non ha potuto confermare .* Non è stato pagato nulla/,
    );
    // The address is kept, and the card is asked for again.
    await expect(page.locator("[name=line1]")).toHaveValue("Via Roma 1");
    await expect(page.locator("[name=number]")).toHaveValue("");
    expect(await eventsTold(server)).not.toContain("Purchase 108 EUR");
    expect((await bruno.client.from("orders").select("status, paid_at").single().throwOnError()).data).toEqual({
      status: "pending",
      paid_at: null,
    });
    expect(await emailText()).not.toContain("€108.00");
  }

  // Another visit of the checkout leads to the same order, which a confirmed payment pays.
  await page.goto("/checkout");
  await pay.click();
  await payWith(page, CARD_NUMBERS.challenged);
  await answerBank(page, "confirm");
  await expect(page).toHaveURL(/\/success\?order=/);
  await expect(page.getByRole("heading", { name: it("cart:success.paid.title") })).toBeVisible();
  await expect.poll(() => eventsTold(server)).toContain("Purchase 108 EUR");
  const { data: order } = await bruno.client
    .from("orders")
    .select("id, number, status, total, voucher_code")
    .single()
    .throwOnError();
  expect(order).toMatchObject({ status: "paid", total: 10_800, voucher_code: "FAMILY" });
  await expect.poll(emailText).toContain("€108.00");
  await page.goto("/orders");
  await expect(page.getByText(it("orders:status.paid"))).toBeVisible();
  await page.getByRole("link", { name: /SK-/ }).click();
  await expect(page.getByText("Via Roma 1")).toBeVisible();
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: it("orders:receipt") }).click();
  expect((await file).suggestedFilename()).toMatch(/^Skies SK-.*\.pdf$/);

  // The affiliate sees the sale, but not the buyer.
  await affiliate.reload();
  await expect(affiliate.getByText("€32.40").first()).toBeVisible();
  await expect(affiliate.getByText(/Bruno/)).toHaveCount(0);
  const csv = affiliate.waitForEvent("download");
  await affiliate.getByRole("button", { name: en("affiliates:commissions.csv") }).click();
  expect((await csv).suggestedFilename()).toBe("skies-commissions.csv");
  await affiliate.getByRole("button", { name: en("affiliates:leave.button") }).click();
  await expect(affiliate.getByRole("heading", { name: en("affiliates:left.title") })).toBeVisible();
  await affiliate.getByRole("button", { name: en("affiliates:leave.undo") }).click();
  await expect(link).toBeVisible();

  // The plan's included card waits for its text, and is sent to the address that he enters.
  await page.goto("/cards");
  await page.getByRole("link", { name: it("ownCards:mine.personalise") }).click();
  await page.getByLabel(it("cards:words.name"), { exact: true }).fill("Nonna Rosa");
  await page.getByLabel(it("ownCards:personalise.recipient")).fill("");
  await page.getByRole("button", { name: it("ownCards:personalise.save") }).click();
  await expect(page.getByText(it("ownCards:required")).first()).toBeVisible();
  await page.getByLabel(it("ownCards:personalise.recipient")).fill("Bruno Verdi");
  await page.getByRole("button", { name: it("ownCards:personalise.save") }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Nonna Rosa" })).toBeVisible();

  // After engraving, one card is given away unclaimed.
  const pack = await fetch(`${server.url}/functions/v1/engraver-pack`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.keys.secret}` },
    body: JSON.stringify({ order: order.number }),
  });
  expect(pack.headers.get("content-type")).toBe("application/zip");
  await expect(page.getByText(it("ownCards:making.engraved")).first()).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: "Rosa Bianchi" }).first();
  const menu = row.getByRole("button", { name: it("ownCards:mine.menu", { code: "" }).trim() });
  const code = ((await menu.getAttribute("aria-label")) ?? "")
    .match(/[0-9A-Z]{4}(-[0-9A-Z]+)+/)?.[0]
    .replaceAll("-", "");
  await menu.click();
  await page.getByRole("menuitem", { name: it("ownCards:mine.give") }).click();
  await page.getByRole("button", { name: it("ownCards:give.do") }).click();
  const secret = page.getByRole("dialog").getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
  await expect(secret).toBeVisible();

  // Its receiver scans the engraved code, which is in capitals, and claims the card.
  const receiver = await visit(PHONE);
  await receiver.goto(`/C/${code}`);
  await expect(receiver.getByRole("heading", { name: en("cardScan:newTitle") })).toBeVisible();
  await receiver.getByRole("link", { name: en("cardScan:login") }).click();
  await receiver.getByLabel(en("account:email")).fill(gina.email);
  await receiver.getByLabel(en("account:password"), { exact: true }).fill(gina.password);
  await receiver.getByRole("button", { name: en("account:login.submit") }).click();
  await receiver.getByLabel(en("cardScan:secret")).fill("AAAAA-AAAAA");
  await receiver.getByRole("button", { name: en("cardScan:claim") }).click();
  await expect(receiver.getByText(en("cardScan:wrong", { count: 4 }))).toBeVisible();
  await receiver.getByLabel(en("cardScan:secret")).fill(((await secret.textContent()) ?? "").toLowerCase());
  await receiver.getByRole("button", { name: en("cardScan:claim") }).click();
  await expect(receiver.getByRole("heading", { name: en("cardScan:yoursTitle") })).toBeVisible();
  await receiver.getByRole("button", { name: en("ownCards:mine.choose") }).click();
  await expect(receiver.getByRole("heading", { name: en("ownCards:mine.title") })).toBeVisible();
  await expect(receiver.getByRole("link", { name: "Nonno Aldo" })).toBeVisible();
  const other = await visit(PHONE);
  await other.goto(`/c/${code}`);
  await expect(other.getByRole("heading", { name: "Nonno Aldo" })).toBeVisible();

  // Once reported as lost, it opens nothing any more.
  await receiver.getByRole("button", { name: en("ownCards:mine.menu", { code: "" }).trim() }).click();
  await receiver.getByRole("menuitem", { name: en("ownCards:mine.lost") }).click();
  await expect(other.getByRole("heading", { name: en("shareGate:open.revoked") })).toBeVisible();
  await other.goto(`/c/${code}`);
  await expect(other.getByRole("heading", { name: en("cardScan:unknownTitle") })).toBeVisible();
});
