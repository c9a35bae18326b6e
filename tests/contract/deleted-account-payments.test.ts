import { beforeEach, expect, test } from "vitest";
import { payments } from "../../server/gateways/payments.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { applyPayment } from "../../server/orders/apply-payment.ts";
import { ordersWithoutAccountJob } from "../../server/orders/orders-without-account.ts";
import { atEnd } from "../support/at-end.ts";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { emptyDatabase } from "../support/database.ts";
import { runOnce } from "../support/jobs.ts";
import { enqueuedTo } from "../support/mailbox.ts";
import { ADDRESS, CARDS, payingServer } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { post } from "../support/sharing.ts";

const server = await payingServer();
const { db, sandbox } = server;
const { store, secretKey, webhookSecret, baseUrl } = sandbox;
const gateway = payments({ secretKey, webhookSecret, baseUrl, automaticTax: false });
const deps = { db, payments: gateway, site: server.url };
const job = ordersWithoutAccountJob({ ...deps, log: console });
// It is woken by notifications only: its interval is an hour.
const worker = startWorker([job], { db, log: console });
atEnd(() => worker.stop());

const MASTER = { plan_id: "skies-master", quantity: 1, currency: "GBP" };
const payer = { name: "Ada", address: ADDRESS };
let ada: Person;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders; delete from private.outbox");
  ada = await signUp(server, "Ada");
});

async function deleteAccount() {
  const { token, password } = ada;
  expect((await post(server, "delete-account", { password }, { authorization: `Bearer ${token}` })).status).toBe(200);
}

/** Waits until no payment event is pending. Resolves to the order with the number of plans and cards from it. */
async function order(session: string) {
  await expect.poll(() => sandbox.waiting()).toBe(0);
  const { rows } = await db.query(
    `select status, user_id, total, refunded, (select count(*)::int from user_subscriptions s where s.order_id = o.id) as plans,
       (select count(*)::int from metal_cards c where c.order_id = o.id and c.making <> 'cancelled') as cards
     from orders o where session_id = $1`,
    [session],
  );
  return rows[0];
}
const emails = async () =>
  (await enqueuedTo(server, ada.email)).map(({ template, props }) => [template, props.amount, props.accountDeleted]);
const refunds = async () =>
  (await db.query("select amount, state, asked_by from refunds where automatic order by amount")).rows;

const refunded = { status: "refunded", user_id: null, total: 18_000, refunded: 18_000, plans: 0, cards: 0 };

test("a payment that a bank confirms after the account was deleted is refunded, and nothing is delivered", async () => {
  const session = await server.sessionFor(ada, [MASTER]);
  store.pay(session, { ...payer, number: CARD_NUMBERS.slow });
  expect(await order(session)).toMatchObject({ status: "pending" });
  await deleteAccount();
  // The page is complete, so it cannot be closed: the bank decides.
  await expect
    .poll(async () => (await db.query("select session_url from orders where session_id = $1", [session])).rows)
    .toEqual([{ session_url: null }]);
  expect(await order(session)).toMatchObject({ status: "pending", user_id: null });
  sandbox.release();
  await expect.poll(() => order(session)).toEqual(refunded);
  expect(await emails()).toEqual([["order-refunded", 18_000, true]]);
  await expect.poll(refunds).toEqual([{ amount: 18_000, state: "done", asked_by: null }]);
});

test("deleting an account closes its open payment pages at the provider", async () => {
  const session = await server.sessionFor(ada, [MASTER]);
  await deleteAccount();
  await expect.poll(() => store.current(session).status).toBe("expired");
  await expect.poll(() => order(session)).toMatchObject({ status: "expired", user_id: null, plans: 0 });
  expect(await emails()).toEqual([]);
});

test("a page that is paid before it is closed is refunded too, once even if the job is repeated", async () => {
  const session = await server.sessionFor(ada, [MASTER]);
  await deleteAccount();
  await expect.poll(() => order(session)).toMatchObject({ status: "expired" });
  Object.assign(store.current(session), { status: "open" });
  store.pay(session, { ...payer, number: CARD_NUMBERS.pays });
  await expect.poll(() => order(session)).toEqual(refunded);
  await expect.poll(refunds).toMatchObject([{ state: "done" }]);
  // The process ended after the refund and before its record.
  await db.exec("update refunds set state = 'asked', provider_id = null, settled_at = null");
  await Promise.all([runOnce(job), runOnce(job)]);
  await applyPayment(deps, session);
  expect(await order(session)).toEqual(refunded);
  expect(await refunds()).toMatchObject([{ state: "done" }]);
  const intent = store.current(session).payment_intent;
  expect([...store.refunds.values()].filter(({ payment_intent }) => payment_intent === intent)).toHaveLength(1);
  expect(await emails()).toEqual([["order-refunded", 18_000, true]]);
});

test("a payment that a bank refuses after the account was deleted costs nothing and sends no email", async () => {
  const session = await server.sessionFor(ada, [MASTER]);
  store.pay(session, { ...payer, number: CARD_NUMBERS.fails });
  await order(session);
  await deleteAccount();
  sandbox.release();
  await expect.poll(() => order(session)).toMatchObject({ status: "failed", refunded: 0, plans: 0, cards: 0 });
  expect(await emails()).toEqual([]);
  expect(await refunds()).toEqual([]);
});

test("bought cards that are not engraved are refunded with the account; engraved and included ones are not", async () => {
  const session = await server.sessionFor(ada, [MASTER, CARDS(3)]);
  store.pay(session, { ...payer, number: CARD_NUMBERS.pays });
  expect(await order(session)).toMatchObject({ status: "paid", plans: 1, cards: 8 });
  await db.query(
    `update metal_cards set making = 'engraved' where id = (
       select c.id from metal_cards c join order_items i on i.id = c.order_item_id where i.kind = 'card' limit 1)`,
  );
  const { rows } = await db.query<{ each: number }>(
    "select total / quantity as each from order_items where kind = 'card'",
  );
  const back = 2 * (rows[0]?.each ?? 0);
  await deleteAccount();
  await expect.poll(() => order(session)).toMatchObject({ status: "paid", refunded: back, cards: 1 });
  expect(await emails()).toEqual([["order-refunded", back, true]]);
  await expect.poll(refunds).toEqual([{ amount: back, state: "done", asked_by: null }]);
});

test("cards of a deleted account are refunded when a bank's dispute is won, and do not return", async () => {
  const session = await server.sessionFor(ada, [CARDS(2)]);
  store.pay(session, { ...payer, number: CARD_NUMBERS.pays });
  await order(session);
  const dispute = store.dispute(store.current(session).payment_intent ?? "");
  expect(await order(session)).toMatchObject({ status: "disputed" });
  await deleteAccount();
  expect(await order(session)).toMatchObject({ cards: 0, refunded: 0 });
  store.closeDispute(dispute.id, "won");
  await expect.poll(() => order(session)).toMatchObject({ status: "refunded", cards: 0 });
});
