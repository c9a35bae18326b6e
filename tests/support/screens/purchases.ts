import { expect, type Page } from "@playwright/test";
import type { Person } from "../people.ts";
import type { ProductServer } from "../product-server.ts";
import { click, heading, type Say, type Setup, screenArea, text } from "./screen.ts";

/** The delivery address of a paid order's cards. */
const DELIVERY = {
  name: "Ada Byron",
  address: { line1: "1 St James's Square", city: "London", postal_code: "SW1Y 4JU", country: "GB" },
};
const VOUCHER = "SCREENS-NEARLY";

/** People with a cart, with orders and cards, and with commissions. */
async function prepare({ server, person }: Setup) {
  const [buyer, shopper, thrifty, affiliate] = await Promise.all([
    person("Ada"),
    person("Shopper"),
    person("Thrifty"),
    person("Affiliate"),
  ]);
  const service = server.service();
  await buyer.client.from("memories").insert({ person_name: "Rosa Bellini" }).throwOnError();
  const joined = await affiliate.client.from("affiliates").insert({}).select("code").single().throwOnError();
  const paid = await order(server, buyer, joined.data.code);
  const { data: pending } = await service
    .from("orders")
    .insert({ user_id: buyer.id, email: buyer.email, currency: "GBP", subtotal: 4500, total: 4500 })
    .select("id")
    .single()
    .throwOnError();
  await shopper.client
    .from("cart_items")
    .insert([{ plan_id: "skies-memories" }, { product_id: "metal-card", quantity: 2 }])
    .throwOnError();
  await service.from("vouchers").upsert({ code: VOUCHER, percentage: 99.9 }, { onConflict: "code" }).throwOnError();
  await thrifty.client.from("cart_items").insert({ product_id: "metal-card", quantity: 10 }).throwOnError();
  await sendToEngraver(server, paid);
  const { data: cards } = await buyer.client.from("metal_cards").select("id, code, making").throwOnError();
  const waiting = cards.find(({ making }) => making === "waiting");
  const engraved = cards.find(({ making }) => making !== "waiting");
  const released = await buyer.client.functions.invoke("release-card", { body: { cardId: engraved?.id } });
  if (released.error) throw released.error;
  return {
    buyer,
    shopper,
    thrifty,
    affiliate,
    paid,
    pending: String(pending.id),
    waiting: String(waiting?.id),
    code: String(engraved?.code),
  };
}

/** A paid order of a plan with a card that is not personalised, and of a personalised card; resolves to its id. */
async function order(server: ProductServer, { id, email }: Person, affiliate: string): Promise<string> {
  const service = server.service();
  const { data } = await service
    .from("orders")
    .insert({
      user_id: id,
      email,
      currency: "GBP",
      subtotal: 7000,
      total: 7000,
      delivery: DELIVERY,
      affiliate_code: affiliate,
    })
    .select("id")
    .single()
    .throwOnError();
  const engraving = { name: "Rosa Bellini", dates: "1931 – 2024", finish: "steel", language: "en" };
  await service
    .from("order_items")
    .insert([
      {
        order_id: data.id,
        kind: "plan",
        plan_id: "skies-memories",
        quantity: 1,
        unit_amount: 4500,
        total: 4500,
        terms: { name: "Skies Memories", storage_gb: 100, term_years: 1, included_cards: 1 },
        details: {},
      },
      {
        order_id: data.id,
        kind: "card",
        product_id: "metal-card",
        quantity: 1,
        unit_amount: 2500,
        total: 2500,
        terms: { name: "Metal card" },
        details: { engraving },
      },
    ])
    .throwOnError();
  await service.from("orders").update({ status: "paid" }).eq("id", data.id).throwOnError();
  return String(data.id);
}

/** Marks an order's cards as engraved, so that their codes can be scanned. */
async function sendToEngraver(server: ProductServer, orderId: string) {
  const service = server.service();
  const { data } = await service.from("orders").select("number").eq("id", orderId).single().throwOnError();
  const { error } = await service.functions.invoke("engraver-pack", { body: { order: data.number } });
  if (error) throw error;
}

type Data = Awaited<ReturnType<typeof prepare>>;

const asBuyer = ({ buyer }: Data) => buyer;

/** Waits for a text with either of two sets of values. */
const anyText =
  (key: string, first: Record<string, unknown>, second: Record<string, unknown>) => (page: Page, say: Say) =>
    expect(
      page
        .getByText(say(key, first))
        .or(page.getByText(say(key, second)))
        .first(),
    ).toBeVisible();

async function claimWrongly(page: Page, say: Say) {
  await page.getByLabel(say("cardScan:secret")).fill("AAAAA-AAAAA");
  await click(page, say("cardScan:claim"));
  // The server counts attempts, so the second language shows the second count.
  await anyText("cardScan:wrong", { count: 4 }, { count: 3 })(page, say);
}

export const purchaseScreens = screenArea("what people buy", prepare, [
  { route: "/shop", state: "as a visitor", path: "/shop", enter: heading("cards:shop.title") },
  {
    route: "/shop",
    state: "with words that cannot be engraved",
    path: "/shop",
    as: asBuyer,
    async enter(page, say) {
      await click(page, say("cards:shop.weddingTake"));
      await page.getByLabel(say("cards:words.name"), { exact: true }).fill("李白");
      await text("cards:words.notEngravable")(page, say);
    },
  },
  {
    route: "/cart",
    state: "with a plan and cards",
    path: "/cart",
    as: ({ shopper }) => shopper,
    enter: text("cart:toCheckout"),
  },
  { route: "/cart", state: "empty", path: "/cart", as: asBuyer, enter: text("cart:emptyTitle") },
  {
    route: "/checkout",
    state: "ready to pay",
    path: "/checkout",
    as: ({ shopper }) => shopper,
    enter: (page, say) =>
      expect(page.locator("main").getByRole("button", { name: say("cart:checkout.pay", { price: "" }) })).toBeEnabled(),
  },
  {
    route: "/checkout",
    state: "with a total below the least",
    path: `/checkout?voucher=${VOUCHER}`,
    as: ({ thrifty }) => thrifty,
    // People with Italian as language pay in euros.
    enter: anyText("cart:refusal.total_too_small", { least: "£0.30" }, { least: "€0.50" }),
  },
  {
    route: "/success",
    state: "paid",
    path: ({ paid }) => `/success?order=${paid}`,
    as: asBuyer,
    enter: heading("cart:success.paid.title"),
  },
  {
    route: "/success",
    state: "waiting for the bank",
    path: ({ pending }) => `/success?order=${pending}`,
    as: asBuyer,
    enter: heading("cart:success.pending.title"),
  },
  { route: "/success", state: "without an order", path: "/success", as: asBuyer, enter: heading("cart:success.none") },
  { route: "/orders", state: "with orders", path: "/orders", as: asBuyer, enter: text("orders:status.paid") },
  { route: "/orders", state: "empty", path: "/orders", as: ({ shopper }) => shopper, enter: text("orders:empty") },
  {
    route: "/orders/:orderId",
    state: "paid",
    path: ({ paid }) => `/orders/${paid}`,
    as: asBuyer,
    enter: heading("orders:deliveryTitle"),
  },
  { route: "/cards", state: "with cards", path: "/cards", as: asBuyer, enter: heading("ownCards:mine.title") },
  {
    route: "/cards/:id",
    state: "with required fields left empty",
    path: ({ waiting }) => `/cards/${waiting}`,
    as: asBuyer,
    async enter(page, say) {
      await page.getByLabel(say("ownCards:personalise.recipient")).fill("");
      await click(page, say("ownCards:personalise.save"));
      await text("ownCards:required")(page, say);
    },
  },
  { route: "/c/:code", state: "unknown", path: "/c/000000000000", enter: heading("cardScan:unknownTitle") },
  {
    route: "/c/:code",
    state: "without a memory, as a visitor",
    path: ({ code }) => `/c/${code}`,
    enter: heading("cardScan:newTitle"),
  },
  {
    route: "/c/:code",
    state: "claimed with a wrong secret",
    path: ({ code }) => `/c/${code}`,
    as: ({ shopper }) => shopper,
    enter: claimWrongly,
  },
  {
    route: "/affiliates",
    state: "not joined",
    path: "/affiliates",
    as: ({ shopper }) => shopper,
    enter: heading("affiliates:hero.title"),
  },
  {
    route: "/affiliates",
    state: "with a commission",
    path: "/affiliates",
    as: ({ affiliate }) => affiliate,
    async enter(page, say) {
      await text("affiliates:commissions.csv")(page, say);
      await expect(page.getByRole("img", { name: say("affiliates:link.qr") })).toBeVisible();
    },
  },
]);
