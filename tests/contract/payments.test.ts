import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { payments } from "../../server/gateways/payments.ts";
import { applyPayment } from "../../server/orders/apply-payment.ts";
import { MAY_FOLLOW, STATUSES } from "../../server/orders/order-status.ts";
import { reconcile } from "../../server/orders/reconcile.ts";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { emptyDatabase } from "../support/database.ts";
import { ADDRESS, CARDS, ordersOf, PLAN, payingServer } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";

const server = await payingServer();
const { sandbox } = server;
const { store } = sandbox;
const webhook = `${server.url}/functions/v1/payment-webhook`;
const { secretKey, webhookSecret, baseUrl } = sandbox;
const gateway = payments({ secretKey, webhookSecret, baseUrl, automaticTax: false });
let ada: Person;
beforeAll(async () => {
  await server.db.query("insert into vouchers (code, percentage, max_uses) values ('ONCE', 10, 1), ('ALL', 100, null)");
});
beforeEach(async () => {
  await emptyDatabase(server.db);
  await server.db.exec("delete from orders; delete from voucher_uses; delete from private.outbox");
  ada = await signUp(server, "Ada");
});

/** Waits until no payment event is pending. Resolves to Ada's newest order. */
async function order() {
  await expect.poll(() => sandbox.waiting()).toBe(0);
  return (await ordersOf(ada.client))[0];
}
const payer = { name: "Ada", address: ADDRESS };
const pay = (session: string, number = CARD_NUMBERS.pays) => store.pay(session, { ...payer, number });
const intentOf = (session: string) => store.current(session).payment_intent ?? "";
const receipts = async () =>
  (await server.db.query<{ n: number }>("select count(*)::int as n from private.outbox where template = 'receipt'"))
    .rows[0]?.n;

/** Reads the enqueued emails about orders, except receipts: template and amount of each. */
async function emails() {
  const { rows } = await server.db.query<{ template: string; amount: number }>(
    `select template, coalesce(props -> 'amount', props -> 'total')::int as amount from private.outbox
     where template in ('order-refunded', 'order-disputed', 'payment-failed') and recipient = $1 order by created_at`,
    [ada.email],
  );
  return rows.map(({ template, amount }) => `${template} ${amount}`);
}

test("a payment creates a paid order and a receipt, and removes only the paid items from the cart", async () => {
  const { data: line } = await ada.client
    .from("cart_items")
    .insert({ ...CARDS(2), user_id: ada.id })
    .select()
    .single()
    .throwOnError();
  await ada.client.from("cart_items").insert({ plan_id: "skies-pro", user_id: ada.id }).throwOnError();
  const session = await server.sessionFor(ada, [line]);
  pay(session);
  expect(await order()).toMatchObject({
    status: "paid",
    total: 5000,
    refunded: 0,
    payment_intent: intentOf(session),
    delivery: { name: "Ada", address: ADDRESS },
  });
  const { rows } = await server.db.query(
    "select recipient, language, props from private.outbox where template = 'receipt'",
  );
  expect(rows).toMatchObject([
    {
      recipient: ada.email,
      language: "en",
      props: { total: 5000, lines: [{ name: "Metal card", quantity: 2, amount: 5000 }] },
    },
  ]);
  // Items that were not part of the order stay in the cart.
  expect((await ada.client.from("cart_items").select("plan_id")).data).toEqual([{ plan_id: "skies-pro" }]);
});

test.each(["twice", "backwards"] as const)(
  "events that come %s make one paid order and one receipt",
  async (manner) => {
    const session = await server.sessionFor(ada, [PLAN]);
    pay(session, CARD_NUMBERS[manner]);
    expect(await order()).toMatchObject({ status: "paid" });
    for (const { id } of sandbox.events().slice(0, 3)) sandbox.repeat(id);
    expect(await order()).toMatchObject({ status: "paid" });
    expect(await receipts()).toBe(1);
  },
);

test("a declined card leaves the page open, and the next card pays", async () => {
  const session = await server.sessionFor(ada, [PLAN], { voucher_code: "ONCE" });
  expect(pay(session, CARD_NUMBERS.declined)).toBe("generic_decline");
  expect(await order()).toMatchObject({ status: "pending" });
  pay(session);
  expect(await order()).toMatchObject({ status: "paid", total: 4050 });
});

test("a payment counts once the buyer has confirmed it to the bank, and a failed confirmation charges nothing", async () => {
  const session = await server.sessionFor(ada, [PLAN]);
  for (const [number, isConfirmed] of [
    [CARD_NUMBERS.challengeFails, true],
    [CARD_NUMBERS.challenged, false],
  ] as const) {
    expect(pay(session, number)).toBe("authentication_required");
    expect(await order()).toMatchObject({ status: "pending", paid_at: null });
    expect(store.answerChallenge(session, isConfirmed)).toBe("payment_intent_authentication_failure");
    expect(await order()).toMatchObject({ status: "pending", paid_at: null });
    expect(() => store.answerChallenge(session, true)).toThrow("no payment to confirm");
  }
  // Another card replaces the attempt that waits for a confirmation.
  pay(session, CARD_NUMBERS.challenged);
  pay(session, CARD_NUMBERS.declined);
  expect(() => store.answerChallenge(session, true)).toThrow("no payment to confirm");
  expect(store.chargeOf(store.current(session))).toBeUndefined();
  expect(await receipts()).toBe(0);
  pay(session, CARD_NUMBERS.challenged);
  expect(store.answerChallenge(session, true)).toBeUndefined();
  expect(await order()).toMatchObject({ status: "paid", total: 4500 });
  expect(await receipts()).toBe(1);
});

test("an expired order returns its voucher, and a late payment still counts", async () => {
  const session = await server.sessionFor(ada, [PLAN], { voucher_code: "ONCE" });
  store.expireSession(session);
  expect(await order()).toMatchObject({ status: "expired" });
  const uses = () =>
    server.db.query("select released_at is null as held, paid_at is not null as paid from voucher_uses");
  expect((await uses()).rows).toEqual([{ held: false, paid: false }]);
  Object.assign(store.current(session), { status: "open" });
  pay(session);
  expect(await order()).toMatchObject({ status: "paid" });
  expect((await uses()).rows).toEqual([{ held: true, paid: true }]);
});

test("a delayed payment stays pending until the bank accepts or refuses it", async () => {
  for (const [number, status] of [
    [CARD_NUMBERS.slow, "paid"],
    [CARD_NUMBERS.fails, "failed"],
  ] as const) {
    const session = await server.sessionFor(ada, [CARDS(number === CARD_NUMBERS.slow ? 1 : 2)]);
    pay(session, number);
    expect(await order()).toMatchObject({ status: "pending", paid_at: null });
    sandbox.release();
    expect(await order()).toMatchObject({ status });
  }
  expect(await receipts()).toBe(1);
  // A person who has closed the page is informed too, and only once if events are repeated.
  for (const { id } of sandbox.events().slice(0, 3)) sandbox.repeat(id);
  await order();
  expect(await emails()).toEqual(["payment-failed 5000"]);
});

test("an item that is being paid or has been paid cannot be paid again", async () => {
  const rows = [
    { ...CARDS(1), user_id: ada.id },
    { ...CARDS(2), user_id: ada.id },
  ];
  const { data } = await ada.client.from("cart_items").insert(rows).select().order("quantity").throwOnError();
  const [first, second] = data;
  const ask = async (items: object[]) => {
    const reply = await server.checkOut(ada, { items });
    const { url, code, order_id } = (await reply.json()) as { url?: string; code?: string; order_id?: string };
    return { url, code, order_id };
  };
  const { order_id, url = "" } = await ask([first]);
  pay(url.split("/").at(-1) ?? "", CARD_NUMBERS.slow);
  await order();
  const checkout = { order_id, url: `${server.url}/success?order=${order_id}`, code: undefined };
  // While the bank decides, another attempt leads to the status of the order. A new item can be paid alone.
  expect(await ask([first])).toEqual(checkout);
  expect((await ask([first, second])).code).toBe("payment_under_way");
  sandbox.release();
  expect(await order()).toMatchObject({ status: "paid" });
  // The same applies to a tab that still shows the paid item.
  expect(await ask([first])).toEqual(checkout);
  expect((await ask([first, second])).code).toBe("payment_under_way");
  expect((await ask([second])).code).toBeUndefined();
  expect((await ordersOf(ada.client)).map(({ status, total }) => [status, total])).toEqual([
    ["pending", 5000],
    ["paid", 2500],
  ]);
});

test("partial refunds add up and are each emailed, and the last one makes the order refunded", async () => {
  const session = await server.sessionFor(ada, [PLAN]);
  pay(session);
  await order();
  store.refund(intentOf(session), 1500);
  expect(await order()).toMatchObject({ status: "paid", refunded: 1500 });
  store.refund(intentOf(session), 3000);
  expect(await order()).toMatchObject({ status: "refunded", refunded: 4500 });
  expect((await order())?.refunded_at).not.toBeNull();
  for (const { id } of sandbox.events().slice(0, 4)) sandbox.repeat(id);
  await order();
  expect(await emails()).toEqual(["order-refunded 1500", "order-refunded 3000"]);
});

test.each([
  ["won", "paid", 0, []],
  ["lost", "refunded", 4500, ["order-refunded 4500"]],
] as const)(
  "a dispute that is %s leaves the order %s, and its buyer is emailed",
  async (end, status, refunded, buyerEmails) => {
    const session = await server.sessionFor(ada, [PLAN]);
    pay(session);
    await order();
    const { id } = store.dispute(intentOf(session));
    expect(await order()).toMatchObject({ status: "disputed", refunded: 0 });
    store.closeDispute(id, end);
    expect(await order()).toMatchObject({ status, refunded });
    for (const { id } of sandbox.events().slice(0, 2)) sandbox.repeat(id);
    await order();
    expect(await emails()).toEqual(["order-disputed 4500", ...buyerEmails]);
  },
);

test("a refund event that arrives before its payment gives the same result", async () => {
  const session = await server.sessionFor(ada, [PLAN]);
  pay(session, CARD_NUMBERS.late);
  const before = sandbox.waiting();
  expect(before).toBe(3);
  store.refund(intentOf(session), 4500);
  sandbox.release();
  expect(await order()).toMatchObject({ status: "refunded", refunded: 4500 });
  expect(await receipts()).toBe(1);
});

test("payment facts that became outdated while they were read are read again", async () => {
  const session = await server.sessionFor(ada, [PLAN]);
  pay(session);
  await order();
  sandbox.deliverTo("http://127.0.0.1:9/nowhere");
  const deps = { db: server.db, payments: gateway, site: server.url };
  let requests = 0;
  const slow = {
    ...gateway,
    async facts(id: string) {
      const facts = await gateway.facts(id);
      requests += 1;
      if (requests === 1) {
        // While this response is in progress, everything is refunded, and that event is processed first.
        store.refund(intentOf(session));
        await applyPayment(deps, session);
      }
      return facts;
    },
  };
  await applyPayment({ ...deps, payments: slow }, session);
  expect((await ordersOf(ada.client))[0]).toMatchObject({ status: "refunded", refunded: 4500 });
  expect(requests).toBe(2);
  sandbox.deliverTo(webhook);
  await order();
});

test("a voucher for the whole price makes a paid order without a payment", async () => {
  const session = await server.sessionFor(ada, [PLAN], { voucher_code: "ALL" });
  store.finishFree(session, payer);
  expect(await order()).toMatchObject({ status: "paid", total: 0, payment_intent: null });
});

describe("only the provider's signed events are accepted", () => {
  const body = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "charge.refunded",
    created: 1,
    data: { object: { object: "charge" } },
  });
  const post = (text: string, signature: string) =>
    fetch(webhook, {
      method: "POST",
      headers: { "stripe-signature": signature, "content-type": "application/json" },
      body: text,
    });
  const now = () => Math.floor(Date.now() / 1000);

  test("a signature is valid only for its exact bytes and for a few minutes", async () => {
    expect((await post(body, sandbox.sign(body))).status).toBe(200);
    expect((await post(`${body} `, sandbox.sign(body))).status).toBe(400);
    expect((await post(body, sandbox.sign(body, now() - 400))).status).toBe(400);
    expect((await post(body, sandbox.sign(body, now() - 200))).status).toBe(200);
    expect((await post(body, sandbox.sign(body).replace("v1=", "v0="))).status).toBe(400);
    for (const signature of ["", "t=1,v1=", "nonsense"]) expect((await post(body, signature)).status).toBe(400);
    const { rows } = await server.db.query("select id from private.payment_events where id = 'evt_1'");
    expect(rows).toHaveLength(1);
  });

  test("an event signed with another secret is refused", async () => {
    const other = payments({ secretKey: "sk_test_sandbox", webhookSecret: "whsec_other", automaticTax: false });
    expect(await other.readEvent(body, sandbox.sign(body))).toBeUndefined();
  });

  test("an event's own contents are not trusted: the state is read from the provider", async () => {
    const session = await server.sessionFor(ada, [PLAN]);
    const forged = JSON.stringify({
      id: "evt_forged",
      object: "event",
      type: "checkout.session.completed",
      created: now(),
      data: {
        object: {
          id: session,
          object: "checkout.session",
          status: "complete",
          payment_status: "paid",
          amount_total: 4500,
        },
      },
    });
    expect((await post(forged, sandbox.sign(forged))).status).toBe(200);
    expect(await order()).toMatchObject({ status: "pending" });
  });
});

test("the database and the server allow the same changes of an order's status", async () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const { rows } = await server.db.query<{ may: boolean }>("select private.may_follow($1, $2) as may", [from, to]);
      expect(rows[0]?.may, `${from} to ${to}`).toBe(from === to || MAY_FOLLOW[from].includes(to));
    }
  }
});

test("the nightly comparison corrects each missed event once", async () => {
  const log = { warn: vi.fn(), error: vi.fn() };
  const deps = { db: server.db, payments: gateway, site: server.url, log };
  sandbox.deliverTo("http://127.0.0.1:9/nowhere");
  const session = await server.sessionFor(ada, [PLAN]);
  pay(session);
  const number = (await ordersOf(ada.client))[0]?.number;
  expect(await reconcile(deps)).toMatchObject([{ number, from: "pending", to: "paid" }]);
  expect(log.warn).toHaveBeenCalledWith({ order: number, from: "pending", to: "paid" }, expect.any(String));
  store.refund(intentOf(session), 500);
  expect(await reconcile(deps)).toMatchObject([{ number, from: "paid", to: "paid" }]);
  expect((await ordersOf(ada.client))[0]).toMatchObject({ status: "paid", refunded: 500 });
  expect(await reconcile(deps)).toEqual([]);
  expect(await receipts()).toBe(1);
  sandbox.deliverTo(webhook);
  await order();
});
