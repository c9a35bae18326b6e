import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { QueryClient } from "@tanstack/react-query";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cartQuery } from "../../web/data/cart.queries.ts";
import { createSubscription } from "../../web/features/plans/subscribe.queries.ts";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { emptyDatabase } from "../support/database.ts";
import { ADDRESS, CARDS, ordersOf, PLAN, payingServer } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { newRow } from "../support/sharing.ts";

const server = await payingServer();
let ada: Person;
let bob: Person;
beforeAll(async () => {
  await server.db.query(
    "insert into vouchers (code, percentage, max_uses, applies_to_cards) values ('LAST', 10, 1, true), ('PLANS', 20, null, false), ('NEARLY', 99, 1, true)",
  );
});
beforeEach(async () => {
  await emptyDatabase(server.db);
  await server.db.exec("delete from orders; delete from voucher_uses");
  [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
});

const refusal = async (reply: Response) => ({
  status: reply.status,
  ...((await reply.json()) as { message: string; code?: string }),
});

describe("checkout is refused", () => {
  test("without a session, or with another person's id", async () => {
    const body = { items: [PLAN] };
    for (const authorization of [`Bearer ${server.keys.publishable}`, "Bearer nonsense", ""]) {
      expect((await server.checkOut(ada, body, { authorization })).status).toBe(401);
    }
    expect(await refusal(await server.checkOut(ada, body, { "x-user-id": bob.id }))).toMatchObject({
      status: 403,
      message: "User not authenticated",
    });
  });

  test("Spec §9: for a card whose text is too long or has characters that cannot be engraved", async () => {
    for (const name of ["漢字", "Rosa 🌹", "مريم", "N".repeat(49), {}]) {
      const items = [PLAN, { ...CARDS(1), item: { engraving: { name, dates: "" } } }];
      expect(await refusal(await server.checkOut(ada, { items }))).toMatchObject({
        status: 400,
        code: "not_engravable",
      });
    }
    expect(await ordersOf(ada.client)).toEqual([]);
    const item = { engraving: { name: " Rosa\n Bianchi ", dates: "1931 – 2024" } };
    await server.sessionFor(ada, [{ ...CARDS(1), item }]);
    const [order] = await ordersOf(ada.client);
    expect(order.order_items[0].details).toEqual({ engraving: { name: "Rosa Bianchi", dates: "1931 – 2024" } });
  });

  test("Spec §5: for an empty cart, with 'Cart is empty'", async () => {
    for (const items of [[], undefined, null, "x"]) {
      expect(await refusal(await server.checkOut(ada, { items }))).toMatchObject({
        status: 400,
        message: "Cart is empty",
      });
    }
  });

  test.each([
    ["for a plan that is not for sale", [{ plan_id: "skies-starter" }]],
    ["for an unknown product", [{ product_id: "gold" }]],
    ["for an item without plan or product", [{ quantity: 1 }]],
    ["for two things in one item", [{ plan_id: "skies-pro", product_id: "metal-card" }]],
    ["for a negative quantity", [CARDS(-3)]],
    ["for two currencies", [PLAN, CARDS(1, "EUR")]],
    ["for an unsupported currency", [CARDS(1, "USD")]],
  ])("%s", async (_what, items) => {
    expect((await server.checkOut(ada, { items })).status).toBe(400);
    expect(await ordersOf(ada.client)).toEqual([]);
  });

  test.each([
    "https://evil.example/success",
    "//evil.example",
    "javascript:alert(1)",
    "http://x@localhost/success",
    "http://127.0.0.1:9/success",
    "http://localhost:9/success",
  ])("with the return URL %s", async (address) => {
    for (const url of [{ success_url: address }, { cancel_url: address }]) {
      expect((await server.checkOut(ada, { items: [PLAN], ...url })).status).toBe(400);
    }
    expect(await ordersOf(ada.client)).toEqual([]);
  });

  test("with an unknown voucher, and no order is kept", async () => {
    expect(await refusal(await server.checkOut(ada, { items: [PLAN], voucher_code: "NONE" }))).toMatchObject({
      status: 409,
      message: "Invalid voucher code",
    });
    expect(await ordersOf(ada.client)).toEqual([]);
  });
});

test("a total below the card minimum is refused, and uses neither an order nor the voucher", async () => {
  // The voucher leaves 45 of the plan's 4,500: enough in pounds, too little in euros.
  const ask = (currency: "GBP" | "EUR") =>
    server.checkOut(ada, { items: [{ ...PLAN, currency }], voucher_code: "NEARLY" });
  expect(await refusal(await ask("EUR"))).toEqual({
    status: 409,
    message: "The smallest amount that can be paid by card is €0.50.",
    code: "total_too_small",
  });
  expect(await ordersOf(ada.client)).toEqual([]);
  expect((await ask("GBP")).status).toBe(200);
  expect((await ordersOf(ada.client))[0]).toMatchObject({ total: 45, voucher_code: "NEARLY" });
});

describe("a payment page", () => {
  test("charges catalogue prices, whatever the browser sends", async () => {
    const items = [
      { ...PLAN, price: 0.01, additional_cards: 2, total: 1 },
      { ...CARDS(8), price: -5, unit_amount: 1 },
    ];
    const session = await server.sessionFor(ada, items, { price: 1, total: 1 });
    // Ten cards in total, at a discount of 5%.
    const page = server.sandbox.store.current(session);
    expect(page).toMatchObject({
      amount_subtotal: 29_500,
      amount_total: 28_250,
      currency: "gbp",
      customer_email: ada.email,
    });
    const [order] = await ordersOf(ada.client);
    expect(order).toMatchObject({
      status: "pending",
      subtotal: 29_500,
      discount: 1250,
      total: 28_250,
      session_id: session,
    });
    expect(order.number).toMatch(/^SK-\d{4}-\d{6}$/);
    expect(page).toMatchObject({ client_reference_id: order.id, metadata: { order_id: order.id } });
    expect(page.success_url).toBe(`${server.url}/success?order=${order.id}`);
    expect(page.shipping_address_collection?.allowed_countries).toContain("IT");
    expect(order.order_items.map(({ kind, quantity }: { kind: string; quantity: number }) => [kind, quantity])).toEqual(
      [
        ["plan", 1],
        ["card", 2],
        ["card", 8],
      ],
    );
    expect(order.order_items[0].terms).toMatchObject({
      name: "Skies Memories",
      storage_gb: 100,
      term_years: 1,
      included_cards: 1,
    });
  });

  test("is in euros and Italian for a purchase in euros, with the voucher off only what it covers", async () => {
    const items = [{ ...PLAN, currency: "EUR" }, CARDS(1, "EUR")];
    const session = await server.sessionFor(ada, items, { voucher_code: " plans " });
    expect(server.sandbox.store.current(session)).toMatchObject({
      currency: "eur",
      locale: "it",
      amount_total: 3600 + 2500,
    });
    expect((await ordersOf(ada.client))[0]).toMatchObject({
      voucher_code: "PLANS",
      discount: 900,
      discount_percentage: 20,
    });
  });

  test("is the same for a double click, and there is one order", async () => {
    const pages = await Promise.all([1, 2, 3].map(() => server.sessionFor(ada, [PLAN], { voucher_code: "LAST" })));
    expect(new Set(pages).size).toBe(1);
    expect(await ordersOf(ada.client)).toHaveLength(1);
  });

  test("for another purchase closes the previous page and returns its voucher", async () => {
    const first = await server.sessionFor(ada, [PLAN], { voucher_code: "LAST" });
    const second = await server.sessionFor(ada, [CARDS(1)], { voucher_code: "LAST" });
    expect(server.sandbox.store.current(first).status).toBe("expired");
    expect(server.sandbox.store.current(second).amount_total).toBe(2250);
    const statuses = (await ordersOf(ada.client)).map(({ status }) => status);
    expect(statuses).toEqual(["pending", "expired"]);
    await expect(server.sessionFor(bob, [PLAN], { voucher_code: "LAST" })).rejects.toThrow("Invalid voucher code");
  });

  test("is given to only one of several people who claim a voucher's last use at once", async () => {
    const people = await Promise.all(Array.from({ length: 8 }, (_, n) => signUp(server, `Racer ${n}`)));
    const pages = await Promise.allSettled(
      people.map((one) => server.sessionFor(one, [PLAN], { voucher_code: "LAST" })),
    );
    expect(pages.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("Spec §7: comes from create-checkout-session as session_url, too", async () => {
    const { data } = await ada.client.functions.invoke("create-checkout-session", { body: { items: [PLAN] } });
    expect(data.session_url).toMatch(/\/pay\/cs_test_/);
    const empty = await ada.client.functions.invoke("create-checkout-session", { body: { items: [] } });
    expect(await empty.error.context.json()).toMatchObject({ message: "Cart is empty" });
    const nobody = await server.client().functions.invoke("create-checkout-session", { body: { items: [PLAN] } });
    expect(await nobody.error.context.json()).toMatchObject({ message: "User not authenticated" });
  });
});

test("Spec §8: starting a plan purchase reports errors by message and code", async () => {
  const begin = (client: SupabaseClient, code?: string) =>
    createSubscription(client, [{ plan_id: "skies-pro", currency: "GBP" }], code);
  await expect(begin(server.client())).rejects.toThrow("User not authenticated");
  await expect(begin(ada.client, "NONE")).rejects.toMatchObject({
    message: "Failed to create checkout session: Invalid voucher code",
    code: "voucher_unknown",
  });
  // The plan stays in the cart.
  expect((await ada.client.from("cart_items").select("plan_id")).data).toEqual([{ plan_id: "skies-pro" }]);
  expect(await begin(ada.client)).toMatch(/\/pay\/cs_test_/);
});

describe("a cart", () => {
  test("Spec §3: is priced by the server, accepts several rows at once, is private, and lists the newest first", async () => {
    const rows = [
      { item: { plan_id: "skies-pro", additional_cards: 3 }, price: 1, user_id: ada.id },
      { product_id: "metal-card", quantity: 4, price: 0, currency: "EUR", user_id: ada.id },
    ];
    await ada.client.from("cart_items").insert(rows).throwOnError();
    const { data } = await ada.client.from("cart_items").select().eq("user_id", ada.id).order("price");
    expect(data).toMatchObject([
      { price: 25, currency: "EUR", item: { product_id: "metal-card", quantity: 4 } },
      { price: 120, plan_id: "skies-pro", additional_cards: 3 },
    ]);
    await ada.client.from("cart_items").update({ quantity: 9 }).eq("product_id", "metal-card").throwOnError();
    const forged = await ada.client.from("cart_items").update({ price: 1 }).eq("product_id", "metal-card");
    expect(forged.error?.code).toBe("42501");
    const his = await bob.client.from("cart_items").select();
    expect(his.data).toEqual([]);
    const stolen = await bob.client.from("cart_items").insert({ user_id: ada.id, plan_id: "skies-master" });
    expect(stolen.error?.code).toBe("42501");
    expect((await ada.client.from("cart_items").select("plan_id").not("plan_id", "is", null)).data).toHaveLength(1);
    const newest = await newRow(ada.client, "cart_items", { product_id: "metal-card", quantity: 1, user_id: ada.id });
    const listed = await new QueryClient().fetchQuery(cartQuery(ada.client, ada.id));
    expect([listed.length, listed[0]?.id]).toEqual([3, newest.id]);
  });

  test("holds one plan: the newest", async () => {
    const add = (plan_id: string) => ada.client.from("cart_items").insert({ plan_id, user_id: ada.id }).throwOnError();
    await add("skies-pro");
    await add("skies-memories");
    expect((await ada.client.from("cart_items").select("plan_id")).data).toEqual([{ plan_id: "skies-memories" }]);
    const strange = await ada.client.from("cart_items").insert({ id: randomUUID(), plan_id: "skies-starter" });
    expect(strange.error?.hint).toBe("not_for_sale");
  });
});

test("Spec §7: a voucher of an order that a bank processes is invalid for another purchase, before checkout and at it", async () => {
  await server.db.query("insert into vouchers (code, percentage, max_uses_per_person) values ('ONCE20', 20, 1)");
  const ask = async () => (await ada.client.rpc("apply_voucher", { code_text: "ONCE20" }).throwOnError()).data;
  const session = await server.sessionFor(ada, [PLAN], { voucher_code: "ONCE20" });
  // The person returns from the open page, which the next checkout closes.
  expect(await ask()).toMatchObject({ valid: true, discount_percentage: 20 });
  const { store } = server.sandbox;
  store.pay(session, { name: "Ada", address: ADDRESS, number: CARD_NUMBERS.declined });
  expect(await ask()).toMatchObject({ valid: true });
  store.pay(session, { name: "Ada", address: ADDRESS, number: CARD_NUMBERS.fails });
  await expect.poll(ask).toMatchObject({ valid: false, message: "Invalid voucher code" });
  const other = { items: [{ plan_id: "skies-pro", quantity: 1, currency: "GBP" }], voucher_code: "ONCE20" };
  expect(await refusal(await server.checkOut(ada, other))).toMatchObject({ status: 409, code: "voucher_used" });
  // The bank refuses, so the use is free again.
  server.sandbox.release();
  await expect.poll(ask).toMatchObject({ valid: true });
  expect((await server.checkOut(ada, other)).status).toBe(200);
});
