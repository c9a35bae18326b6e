import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { CARDS, ordersOf, PLAN, payingServer, sandboxSettings } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { type TestServer, testServer } from "../support/server.ts";
import { newRow, post } from "../support/sharing.ts";

const server = await payingServer();
const { sandbox, db } = server;
let ada: Person;
let admin: string;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders; delete from private.outbox; delete from campaigns");
  ada = await signUp(server, "Ada");
  admin = await staff("admin");
});

const staff = async (role: string) => {
  const { id } = await signUp(server, role);
  return server.sign({ role: "authenticated", sub: id, aal: "aal2", app_metadata: { role } });
};

/** Makes an order of Ada's and pays it. Resolves to it once the product has processed the payment. */
async function paid(items: object[] = [PLAN], more: object = {}) {
  sandbox.store.pay(await server.sessionFor(ada, items, more), { number: "4242424242424242", name: "Ada" });
  return current();
}
async function current() {
  await expect.poll(() => sandbox.waiting()).toBe(0);
  const [order] = await ordersOf(ada.client);
  return order as { id: string; number: string; status: string; total: number; refunded: number };
}
const call = (name: string, body: object, bearer: string, at: Pick<TestServer, "url" | "keys"> = server) =>
  post(at, name, body, { authorization: `Bearer ${bearer}` });
const refund = (order: string, more: object = {}, bearer = admin) =>
  call("refund-order", { order, reason: "Damaged", request: randomUUID(), ...more }, bearer);
const rows = async (text: string) => (await db.query(text)).rows;

describe("a refund", () => {
  test("can be partial and then complete, is logged with its reason, and updates the order, plan and emails", async () => {
    const { id, number } = await paid();
    expect(await refund(number, { amount: 1000 })).toMatchObject({ status: 200, body: { amount: 1000 } });
    expect(await current()).toMatchObject({ status: "paid", refunded: 1000 });
    expect(await refund(id)).toMatchObject({ status: 200, body: { amount: 3500 } });
    expect(await current()).toMatchObject({ status: "refunded", refunded: 4500 });
    expect(await rows("select status from user_subscriptions")).toEqual([{ status: "refunded" }]);
    expect(
      await rows(
        "select (props ->> 'amount')::int as amount from private.outbox where template = 'order-refunded' order by 1",
      ),
    ).toEqual([{ amount: 1000 }, { amount: 3500 }]);
    expect(
      await rows(
        `select after, reason, role from audit_log where action = 'order.refund' and subject = '${id}' order by id`,
      ),
    ).toEqual([
      { after: { amount: 1000, currency: "GBP" }, reason: "Damaged", role: "admin" },
      { after: { amount: 3500, currency: "GBP" }, reason: "Damaged", role: "admin" },
    ]);
    expect(await rows("select amount, state from refunds order by amount")).toEqual([
      { amount: 1000, state: "done" },
      { amount: 3500, state: "done" },
    ]);
  });

  test("reverses the commission in the same proportion", async () => {
    const bob = await signUp(server, "Bob");
    const data = await newRow(bob.client, "affiliates", {}, "code");
    const { number } = await paid([PLAN], {
      affiliate_code: data.code,
      affiliate_visited_at: new Date().toISOString(),
    });
    await refund(number, { amount: 1500 });
    await current();
    expect(await rows("select earned, reversed from commissions")).toEqual([{ earned: 1350, reversed: 450 }]);
  });

  test("sent twice at once pays back once", async () => {
    const { number } = await paid();
    const request = randomUUID();
    const answers = await Promise.all([1, 2].map(() => refund(number, { amount: 2000, request })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await current()).toMatchObject({ refunded: 2000 });
    expect(await refund(number, { amount: 2001, request })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  test("by two administrators at once never exceeds the payment", async () => {
    const { number } = await paid();
    const answers = await Promise.all([1, 2].map(() => refund(number)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await current()).toMatchObject({ status: "refunded", refunded: 4500 });
  });

  test("of more than is left, of nothing, or of an order that is not paid is refused", async () => {
    const { number } = await paid();
    expect(await refund(number, { amount: 4501 })).toMatchObject({ status: 409, body: { code: "over_refund" } });
    expect(await refund(number, { amount: 0 })).toMatchObject({ status: 400 });
    expect(await refund(number, { reason: " " })).toMatchObject({ status: 400 });
    expect(await refund("SK-2020-000001")).toMatchObject({ status: 404 });
    await server.sessionFor(ada, [CARDS(1)]);
    const pending = await current();
    expect(await refund(pending.number)).toMatchObject({ status: 409, body: { code: "not_refundable" } });
    expect(await rows("select id from refunds")).toEqual([]);
  });

  test("that the provider refuses is recorded, and leaves the order unchanged", async () => {
    const { id, number } = await paid();
    // Refunded at the provider itself, without the product's knowledge.
    for (const charge of sandbox.store.charges.values()) charge.amount_refunded = 4000;
    expect(await refund(number, { amount: 1000 })).toMatchObject({ status: 409, body: { code: "refund_refused" } });
    expect(await rows("select state from refunds")).toEqual([{ state: "refused" }]);
    expect(await current()).toMatchObject({ id, status: "paid", refunded: 0 });
  });

  test("whose provider response was lost can be repeated, and pays back once", async () => {
    const { number } = await paid();
    const down = await testServer(sandboxSettings({ ...sandbox, baseUrl: "http://127.0.0.1:9" }), server);
    const refundRequest = { order: number, amount: 4000, reason: "Damaged", request: randomUUID() };
    expect(await call("refund-order", refundRequest, admin, down)).toMatchObject({
      status: 502,
      body: { code: "provider_unknown" },
    });
    expect(await rows("select state from refunds")).toEqual([{ state: "asked" }]);
    expect(await refund(number, { amount: 501 })).toMatchObject({ status: 409, body: { code: "over_refund" } });
    for (const _ of [1, 2]) expect((await call("refund-order", refundRequest, admin)).status).toBe(200);
    expect(await current()).toMatchObject({ refunded: 4000 });
  });

  test("is for administrators alone", async () => {
    const { number } = await paid();
    for (const bearer of [await staff("support"), await staff("fulfilment"), await staff("editor"), ada.token]) {
      expect((await refund(number, {}, bearer)).status).toBe(404);
    }
    expect((await refund(number, {}, server.keys.publishable)).status).toBe(401);
    expect(await current()).toMatchObject({ refunded: 0 });
  });
});

test("support can send a receipt again, but not twice while one waits", async () => {
  const { id } = await paid();
  await db.exec("update private.outbox set state = 'sent', settled_at = now()");
  const support = await staff("support");
  for (const _ of [1, 2]) expect((await call("resend-receipt", { order: id }, support)).status).toBe(200);
  expect(
    await rows(
      "select recipient, (props ->> 'total')::int as total from private.outbox where template = 'receipt' and state = 'waiting'",
    ),
  ).toEqual([{ recipient: ada.email, total: 4500 }]);
  expect((await call("resend-receipt", { order: id }, await staff("fulfilment"))).status).toBe(404);
  expect((await call("resend-receipt", { order: id }, ada.token)).status).toBe(404);
  const events = await server.client(support).rpc("order_events", { order_id: id }).throwOnError();
  expect(events.data.map(({ kind, state }: { kind: string; state: string }) => [kind, state])).toEqual([
    ["receipt", expect.stringMatching("sent|waiting")],
    ["receipt", expect.stringMatching("sent|waiting")],
  ]);
});

describe("a campaign", () => {
  const make = (bearer: string, more: object = {}) =>
    server
      .client(bearer)
      .rpc("create_campaign", { name: "Spring", percentage: 20, codes: 30, prefix: "spring", ...more });

  test("creates random codes that work once each and can be disabled together", async () => {
    const { data } = await make(admin).throwOnError();
    const codes: string[] = data.codes;
    expect(new Set(codes).size).toBe(30);
    for (const code of codes) expect(code).toMatch(/^SPRING-[0-9A-HJKMNP-TV-Z]{12}$/);
    const [first = "", second = ""] = codes;
    await paid([PLAN], { voucher_code: first });
    const valid = async (code: string) =>
      (await ada.client.rpc("apply_voucher", { code_text: code }).throwOnError()).data.valid;
    expect([await valid(first), await valid(second)]).toEqual([false, true]);
    const use = await server.client(admin).rpc("campaign_use").throwOnError();
    expect(use.data).toMatchObject([{ id: data.id, codes: 30, paid: 1, percentage: 20 }]);
    await server.client(admin).from("campaigns").update({ active: false }).eq("id", data.id).throwOnError();
    expect(await valid(second)).toBe(false);
    // The log contains the campaign, but not each of its codes.
    expect(await rows(`select action from audit_log where subject = '${data.id}' order by id`)).toEqual([
      { action: "campaigns.create" },
      { action: "campaigns.update" },
    ]);
    expect(await rows(`select action from audit_log where subject = '${second}'`)).toEqual([]);
  });

  test("with invalid values, or by support, is refused and creates no codes", async () => {
    for (const more of [
      { codes: 0 },
      { codes: 1001 },
      { percentage: 101 },
      { prefix: "not a prefix" },
      { name: " " },
    ]) {
      expect((await make(admin, more)).error).not.toBeNull();
    }
    expect((await make(await staff("support"))).error?.code).toBe("PT404");
    expect(await rows("select id from vouchers where campaign_id is not null")).toEqual([]);
  });
});

test("catalogue changes do not alter existing orders", async () => {
  await db.exec("insert into vouchers (code, percentage) values ('KEPT', 10)");
  const { id } = await paid([PLAN, CARDS(1)], { voucher_code: "KEPT" });
  const sold = async () => [
    await rows("select total, discount, voucher_code, discount_percentage from orders"),
    await rows("select unit_amount, total, terms from order_items order by position"),
    await rows("select name, max_memories, storage_gb, term_years, amount, expires_at from user_subscriptions"),
    await rows("select percentage from voucher_uses"),
  ];
  const before = await sold();
  const desk = server.client(admin);
  const plan = { name: "Skies Small", max_memories: 3, storage_gb: 1, term_years: 2, included_cards: 0 };
  const { data: was } = await desk
    .from("subscription_plans")
    .select("name,max_memories,storage_gb,term_years,included_cards")
    .eq("id", "skies-memories")
    .single()
    .throwOnError();
  await desk.from("subscription_plans").update(plan).eq("id", "skies-memories").throwOnError();
  await desk.from("plan_prices").update({ amount: 9900 }).eq("plan_id", "skies-memories").throwOnError();
  await desk.from("product_prices").update({ amount: 9900 }).eq("product_id", "metal-card").throwOnError();
  await desk.from("vouchers").update({ percentage: 90, active: false }).eq("code", "KEPT").throwOnError();
  expect(await sold()).toEqual(before);
  // Also after the payment is processed once more.
  await refund(id, { amount: 100 });
  await current();
  const [, items, , uses] = await sold();
  expect([items, uses]).toEqual([before[1], before[3]]);
  await desk.from("subscription_plans").update(was).eq("id", "skies-memories").throwOnError();
  await desk.from("plan_prices").update({ amount: 4500 }).eq("plan_id", "skies-memories").throwOnError();
  await desk.from("product_prices").update({ amount: 2500 }).eq("product_id", "metal-card").throwOnError();
});

test("administrators alone see an affiliate's balances, payouts and signs of abuse", async () => {
  const bob = await signUp(server, "Bob");
  const joined = await newRow(bob.client, "affiliates", {}, "id", "code");
  await paid([PLAN], { affiliate_code: joined.code, affiliate_visited_at: new Date().toISOString() });
  await db.query("update commissions set payable_at = now()");
  await db.query("insert into affiliate_clicks (affiliate_id, clicks) values ($1, 400)", [joined.id]);
  // Bought under another name, but sent to the address of the affiliate's own cards.
  await db.query(
    `with own as (insert into metal_cards (user_id) values ($1) returning id)
     insert into card_deliveries (card_id, user_id, address) select id, $1, '{"name": "Bob", "address": {"line1": "1 Sea Road"}}' from own`,
    [bob.id],
  );
  await db.query(`update orders set delivery = '{"name": "Nobody", "address": {"line1": "1 Sea Road"}}'`);
  const desk = server.client(admin);
  const seen = async () => (await desk.rpc("desk_affiliates", { find: bob.email.slice(0, 8) }).throwOnError()).data;
  expect(await seen()).toMatchObject([
    {
      email: bob.email,
      code: joined.code,
      state: "active",
      clicks: 400,
      busiest_day: 400,
      purchases: 1,
      own_purchases: 1,
      balances: [{ currency: "GBP", earned: 1350, paid_out: 0, payable: 1350 }],
    },
  ]);
  for (const other of [await staff("support"), await staff("editor"), ada.token, bob.token]) {
    expect((await server.client(other).rpc("desk_affiliates")).data ?? []).toEqual([]);
  }
  expect((await server.client().rpc("desk_affiliates")).error?.code).toBe("42501");
  const payout = { email: bob.email, amount: 10, currency: "GBP", reference: "Transfer 7" };
  const { data: recorded } = await desk.rpc("record_payout", payout).throwOnError();
  expect((await desk.rpc("record_payout", payout)).error?.hint).toBe("over_balance");
  expect((await seen())[0].balances).toMatchObject([{ paid_out: 1000, payable: 350 }]);
  await desk.from("payouts").delete().eq("id", recorded.id).throwOnError();
  expect((await seen())[0].balances).toMatchObject([{ paid_out: 0, payable: 1350 }]);
  await desk.from("affiliates").update({ state: "paused" }).eq("id", joined.id).throwOnError();
  expect(await seen()).toMatchObject([{ state: "paused" }]);
});
