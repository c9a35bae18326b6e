import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { CARDS, ordersOf, PLAN, payingServer, sandboxSettings } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { type TestServer, testServer } from "../support/server.ts";
import { post } from "../support/sharing.ts";

const server = await payingServer();
const { sandbox, db } = server;
let ada: Person;
let admin: string;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders; delete from private.outbox");
  ada = await signUp(server, "Ada");
  admin = await staff("admin");
});

const staff = async (role: string) => {
  const { id } = await signUp(server, role);
  return server.sign({ role: "authenticated", sub: id, aal: "aal2", app_metadata: { role } });
};

/** An order that Ada has paid, once the product has heard of it. */
async function paid(items: object[] = [PLAN], more: object = {}) {
  sandbox.store.pay(await server.sessionFor(ada, items, more), { number: "4242424242424242", name: "Ada" });
  return current();
}
async function current() {
  await expect.poll(() => sandbox.waiting(), { timeout: 10_000 }).toBe(0);
  const [order] = await ordersOf(ada.client);
  return order as { id: string; number: string; status: string; total: number; refunded: number };
}
const call = (name: string, body: object, bearer: string, at: Pick<TestServer, "url" | "keys"> = server) =>
  post(at, name, body, { authorization: `Bearer ${bearer}` });
const refund = (order: string, more: object = {}, bearer = admin) =>
  call("refund-order", { order, reason: "Damaged", request: randomUUID(), ...more }, bearer);
const rows = async (text: string) => (await db.query(text)).rows;

describe("a refund", () => {
  test("gives back a part, then the rest, with a reason in the log; the order, plan and emails follow", async () => {
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

  test("takes the commission back in the same part", async () => {
    const bob = await signUp(server, "Bob");
    const { data } = await bob.client.from("affiliates").insert({}).select("code").single().throwOnError();
    const { number } = await paid([PLAN], {
      affiliate_code: data.code,
      affiliate_visited_at: new Date().toISOString(),
    });
    await refund(number, { amount: 1500 });
    await current();
    expect(await rows("select earned, reversed from commissions")).toEqual([{ earned: 1350, reversed: 450 }]);
  });

  test("pressed twice at once gives money back once", async () => {
    const { number } = await paid();
    const request = randomUUID();
    const answers = await Promise.all([1, 2].map(() => refund(number, { amount: 2000, request })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await current()).toMatchObject({ refunded: 2000 });
    expect(await refund(number, { amount: 2001, request })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  test("of two administrators at once never comes to more than was paid", async () => {
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

  test("that the provider refuses is noted down, and leaves the order as it is", async () => {
    const { id, number } = await paid();
    // Given back at the provider itself, of which nothing has come to be known here.
    for (const charge of sandbox.store.charges.values()) charge.amount_refunded = 4000;
    expect(await refund(number, { amount: 1000 })).toMatchObject({ status: 409, body: { code: "refund_refused" } });
    expect(await rows("select state from refunds")).toEqual([{ state: "refused" }]);
    expect(await current()).toMatchObject({ id, status: "paid", refunded: 0 });
  });

  test("of which the provider's answer never came is asked for again, and gives money back once", async () => {
    const { number } = await paid();
    const down = await testServer(sandboxSettings({ ...sandbox, baseUrl: "http://127.0.0.1:9" }), server);
    const wanted = { order: number, amount: 4000, reason: "Damaged", request: randomUUID() };
    expect(await call("refund-order", wanted, admin, down)).toMatchObject({
      status: 502,
      body: { code: "provider_unknown" },
    });
    expect(await rows("select state from refunds")).toEqual([{ state: "asked" }]);
    expect(await refund(number, { amount: 501 })).toMatchObject({ status: 409, body: { code: "over_refund" } });
    for (const _ of [1, 2]) expect((await call("refund-order", wanted, admin)).status).toBe(200);
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

test("a receipt is sent once more by support, and not twice while one waits", async () => {
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
