import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPayments, type Payments } from "../../sandboxes/payments/payments.ts";
import { connect } from "../../server/database/connect.ts";
import { commissionOf } from "../../shared/commission.ts";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { type KillableServer, killableServer } from "../support/killable-server.ts";
import { ADDRESS, sandboxSettings } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";

const KILLS = 20;
/** No further kill after so many milliseconds, however few there were: a start takes seconds on a busy machine. */
const PATIENCE_MS = 100_000;

let sandbox: Payments;
let server: KillableServer;
let ada: Person;
/** Of whom by a link Ada comes to everything she buys. */
let affiliate: string;
beforeAll(async () => {
  sandbox = await openPayments();
  server = await killableServer(sandboxSettings(sandbox));
  sandbox.deliverTo(`${server.url}/functions/v1/payment-webhook`);
  ada = await signUp(server, "Ada");
  const bob = await signUp(server, "Bob");
  affiliate = (await bob.client.from("affiliates").insert({}).select("code").single().throwOnError()).data.code;
}, 120_000);
afterAll(async () => {
  await server?.close();
  await sandbox?.close();
});

/** Asks for the page of a purchase until there is an answer, as somebody does who presses the button again. */
async function sessionFor(items: object[]): Promise<string> {
  const referral = { affiliate_code: affiliate, affiliate_visited_at: new Date().toISOString() };
  for (;;) {
    const reply = await fetch(`${server.url}/.netlify/functions/create-checkout`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${ada.token}`, "x-user-id": ada.id },
      body: JSON.stringify({
        items,
        success_url: `${server.url}/success`,
        cancel_url: `${server.url}/cart`,
        ...referral,
      }),
    }).catch(() => undefined);
    const answer = (await reply?.json().catch(() => undefined)) as { url?: string } | undefined;
    if (answer?.url) return answer.url.split("/").at(-1) ?? "";
    await delay(5);
  }
}

test("killed at any step of a payment, each is one order, one receipt, one commission and one of all that hangs on it", async () => {
  const paid: string[] = [];
  let [kills, over, steps] = [0, false, 0];
  const buying = async () => {
    for (let round = 1; !over; round += 1) {
      const plan = round % 2 === 0;
      const items = plan ? [{ plan_id: "skies-memories" }] : [{ product_id: "metal-card", quantity: 1 + (round % 9) }];
      const session = await sessionFor(items);
      steps += 1;
      const { twice, pays, backwards } = CARD_NUMBERS;
      sandbox.till.pay(session, { number: [twice, pays, backwards][round % 3] ?? pays, name: "Ada", address: ADDRESS });
      paid.push(session);
      steps += 1;
      // Sometimes the next one begins while news of the last is still on its way.
      if (round % 2 === 0) await expect.poll(() => sandbox.waiting(), { interval: 5, timeout: 60_000 }).toBe(0);
    }
  };
  const killing = async () => {
    const end = Date.now() + PATIENCE_MS;
    while (kills < KILLS && Date.now() < end) {
      const enough = steps + randomInt(1, 4);
      await expect.poll(() => steps, { interval: 2, timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
      // Somewhere inside the next step, rather than always just after one.
      await delay(randomInt(0, 40));
      kills += 1;
      await server.killAndRestart();
    }
  };
  const busy = buying();
  await Promise.race([killing(), busy]).finally(() => {
    over = true;
  });
  await busy;
  if (kills < KILLS) console.info(`This machine is busy: ${kills} kills in ${PATIENCE_MS / 1000} s`);
  await expect.poll(() => sandbox.waiting(), { timeout: 60_000 }).toBe(0);
  expect(paid.length).toBeGreaterThan(kills / 2);

  await server.stop();
  const db = await connect({ dataDir: server.dataDir });
  try {
    const one = async (text: string) => (await db.query<{ n: number }>(text)).rows[0]?.n;
    const orders = await db.query<{ session_id: string; total: number; plan: boolean }>(
      `select session_id, total, exists (select from order_items i where i.order_id = o.id and i.kind = 'plan') as plan
       from orders o where paid_at is not null`,
    );
    expect(orders.rows.map(({ session_id }) => session_id).sort()).toEqual([...paid].sort());
    for (const { session_id, total } of orders.rows) expect(total).toBe(sandbox.till.current(session_id).amount_total);
    const receipts =
      "select count(*)::int as n, count(distinct dedupe_key)::int as each from private.outbox where template = 'receipt'";
    expect((await db.query(receipts)).rows).toEqual([{ n: paid.length, each: paid.length }]);
    const commissions = await db.query<{ total: number; amount: number }>(
      "select o.total, c.amount from commissions c join orders o on o.id = c.order_id",
    );
    expect(commissions.rows).toHaveLength(paid.length);
    for (const { total, amount } of commissions.rows) expect(amount).toBe(commissionOf({ total }));
    const plans = orders.rows.filter(({ plan }) => plan).length;
    expect(await one("select count(*)::int as n from user_subscriptions where order_id is not null")).toBe(plans);
    expect(await one("select count(*)::int as n from metal_cards")).toBe(
      await one(
        `select coalesce(sum(case i.kind when 'card' then i.quantity else (i.terms ->> 'included_cards')::integer end), 0)::int as n
         from order_items i join orders o on o.id = i.order_id and o.paid_at is not null`,
      ),
    );
  } finally {
    await db.close();
  }
}, 240_000);
