import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asCaller, type Caller, SERVICE } from "../../server/database/as-caller.ts";
import { commissionOf } from "../../shared/commission.ts";
import { testDatabase } from "../support/database.ts";

const db = await testDatabase();
const STATUSES = ["pending", "paid", "failed", "expired", "refunded", "disputed"] as const;
const [affiliate, buyer] = [await newPerson(), await newPerson()];
const { code } = await join(affiliate);

async function newPerson(): Promise<string> {
  const id = randomUUID();
  await db.query("insert into auth.users (id, email) values ($1, $2)", [id, `${id}@example.com`]);
  return id;
}

async function join(person: string) {
  const { rows } = await asCaller(db, { role: "authenticated", sub: person } satisfies Caller, (tx) =>
    tx.query<{ id: string; code: string }>("insert into affiliates (user_id) values ($1) returning id, code", [person]),
  );
  return { id: rows[0]?.id ?? "", code: rows[0]?.code ?? "" };
}

interface Wanted {
  total?: number;
  tax?: number;
  currency?: string;
  by?: string;
  from?: string;
  email?: string;
}

async function order({ total = 12_000, tax = 0, currency = "GBP", by = buyer, from = code, email }: Wanted = {}) {
  const { rows } = await db.query<{ id: string }>(
    `insert into orders (user_id, email, currency, subtotal, total, tax, affiliate_code)
     values ($1, $2, $3, $4, $4, $5, $6) returning id`,
    [by, email ?? `${by}@example.com`, currency, total, tax, from],
  );
  return rows[0]?.id ?? "";
}

const becomes = (id: string, status: string, refunded = 0) =>
  db.query("update orders set status = $2, refunded = $3 where id = $1", [id, status, refunded]);

const commissionsOf = async (id: string) =>
  (await db.query("select base, earned, reversed, amount, held from commissions where order_id = $1", [id])).rows;

const balances = async (person: string) =>
  (
    await asCaller(db, { role: "authenticated", sub: person }, (tx) =>
      tx.query("select * from my_affiliate_balances()"),
    )
  ).rows;

/** Simulates that this many days have passed. */
const matures = (id: string, days = 31) =>
  db.query("update commissions set payable_at = payable_at - make_interval(days => $2) where order_id = $1", [
    id,
    days,
  ]);

const pay = (email: string, amount: number, currency = "GBP") =>
  asCaller(db, SERVICE, async (tx) => {
    const { rows } = await tx.query<{ said: unknown }>("select record_payout($1, $2, $3) as said", [
      email,
      amount,
      currency,
    ]);
    return rows[0]?.said;
  });

test("Spec §1: a sale by way of a link earns 30 % of what was paid, once it is paid", async () => {
  const id = await order();
  expect(await commissionsOf(id)).toEqual([]);
  await becomes(id, "paid");
  expect(await commissionsOf(id)).toEqual([{ base: 12_000, earned: 3600, reversed: 0, amount: 3600, held: false }]);
});

test("a repeated payment event makes no second commission", async () => {
  const id = await order();
  await becomes(id, "paid");
  await becomes(id, "paid");
  await db.query("update orders set provider_receipt = 'x' where id = $1", [id]);
  expect(await commissionsOf(id)).toHaveLength(1);
});

test("a refund reverses its part of the commission; a dispute holds it, and a lost dispute reverses it all", async () => {
  const id = await order({ total: 12_000, tax: 2000 });
  await becomes(id, "paid");
  await becomes(id, "paid", 3000);
  expect(await commissionsOf(id)).toEqual([{ base: 10_000, earned: 3000, reversed: 750, amount: 2250, held: false }]);
  await becomes(id, "disputed", 3000);
  expect(await commissionsOf(id)).toMatchObject([{ amount: 2250, held: true }]);
  await becomes(id, "refunded", 12_000);
  expect(await commissionsOf(id)).toMatchObject([{ amount: 0, reversed: 3000, held: false }]);
});

test("an order without a referral earns no commission", async () => {
  const id = await order();
  await db.query("update orders set affiliate_code = null where id = $1", [id]);
  await becomes(id, "paid");
  expect(await commissionsOf(id)).toEqual([]);
});

test("an affiliate earns nothing from their own orders, even if only the email address matches", async () => {
  const own = await order({ by: affiliate });
  const asGuest = await order({ email: `${affiliate.toUpperCase()}@example.com` });
  await becomes(own, "paid");
  await becomes(asGuest, "paid");
  expect(await commissionsOf(own)).toEqual([]);
  expect(await commissionsOf(asGuest)).toEqual([]);
});

test("an affiliate who left keeps the commissions of earlier sales", async () => {
  const leaver = await newPerson();
  const { id, code: theirs } = await join(leaver);
  const sold = await order({ from: theirs });
  await db.query("update affiliates set state = 'left' where id = $1", [id]);
  await becomes(sold, "paid");
  expect(await commissionsOf(sold)).toMatchObject([{ amount: 3600 }]);
});

test("the database and the browser round commissions alike", async () => {
  const random = fc.sample(
    fc
      .integer({ min: 1, max: 2_000_000_000 })
      .chain((total) => fc.tuple(fc.constant(total), fc.nat({ max: total }), fc.nat({ max: total }))),
    500,
  );
  const { rows } = await db.query<{ commission: number }>(
    `select private.commission_of((row ->> 0)::integer, (row ->> 1)::integer, (row ->> 2)::integer) as commission
     from jsonb_array_elements($1::jsonb) with ordinality as given (row, place) order by place`,
    [JSON.stringify(random)],
  );
  expect(rows.map(({ commission }) => commission)).toEqual(
    random.map(([total, tax, refunded]) => commissionOf({ total, tax, refunded })),
  );
});

test("after any sequence of payments and refunds, commissions are 30 % of what remains", async () => {
  const story = fc.record({
    total: fc.integer({ min: 1, max: 100_000 }),
    taxed: fc.boolean(),
    steps: fc.array(fc.tuple(fc.constantFrom(...STATUSES), fc.integer({ min: 0, max: 100 })), { maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ total, taxed, steps }) => {
      const tax = taxed ? Math.floor(total / 6) : 0;
      const id = await order({ total, tax });
      for (const [status, percent] of steps) {
        // An invalid transition is refused as a whole, as in the product.
        await becomes(id, status, Math.floor((total * percent) / 100)).catch(() => undefined);
      }
      const { rows } = await db.query<{ paid: boolean; refunded: number; status: string }>(
        "select paid_at is not null as paid, refunded, status from orders where id = $1",
        [id],
      );
      const amount = commissionOf({ total, tax, refunded: rows[0]?.refunded ?? 0 });
      const earned = commissionOf({ total, tax });
      const expected = { amount, reversed: earned - amount, held: rows[0]?.status === "disputed" };
      expect(await commissionsOf(id)).toMatchObject(rows[0]?.paid && earned > 0 ? [expected] : []);
    }),
    { numRuns: 40 },
  );
});

test("a commission can be paid out after thirty days, and a later refund makes the balance negative", async () => {
  const person = await newPerson();
  const email = `${person}@example.com`;
  const { code: theirs } = await join(person);
  const [first, second] = [await order({ from: theirs }), await order({ from: theirs, total: 1000, currency: "EUR" })];
  await becomes(first, "paid");
  await becomes(second, "paid");
  await expect(pay(email, 36)).rejects.toMatchObject({ code: "PT409", hint: "over_balance" });
  await matures(first);
  expect(await balances(person)).toEqual([
    { currency: "GBP", earned: 3600, reversed: 0, waiting: 0, payable: 3600, paid_out: 0 },
    { currency: "EUR", earned: 300, reversed: 0, waiting: 300, payable: 0, paid_out: 0 },
  ]);
  expect(await pay(email.toUpperCase(), 30.5)).toMatchObject({ left: 550 });
  await expect(pay(email, 5.51)).rejects.toMatchObject({ code: "PT409" });
  await expect(pay(email, 1.005)).rejects.toMatchObject({ code: "PT400" });
  await expect(pay("nobody@example.com", 1)).rejects.toMatchObject({ code: "PT404" });

  await becomes(first, "refunded", 12_000);
  expect(await balances(person)).toMatchObject([{ payable: -3050, reversed: 3600, paid_out: 3050 }, { payable: 0 }]);
  await expect(pay(email, 0.01)).rejects.toMatchObject({ code: "PT409" });
});

test("a disputed payment's commission is not paid out", async () => {
  const person = await newPerson();
  const { code: theirs } = await join(person);
  const sold = await order({ from: theirs });
  await becomes(sold, "paid");
  await matures(sold);
  await becomes(sold, "disputed");
  await expect(pay(`${person}@example.com`, 1)).rejects.toMatchObject({ code: "PT409" });
  expect(await balances(person)).toMatchObject([{ waiting: 3600, payable: 0 }]);
});

test("an affiliate can neither choose a code nor undo a pause", async () => {
  const person = await newPerson();
  const caller: Caller = { role: "authenticated", sub: person };
  const run = (text: string) => asCaller(db, caller, (tx) => tx.query(text));
  await expect(run("insert into affiliates (user_id, code) values (auth.uid(), '00000000')")).rejects.toMatchObject({
    code: "42501",
  });
  const { id } = await join(person);
  await run("update affiliates set state = 'left'");
  await run("update affiliates set state = 'active'");
  await expect(run("update affiliates set state = 'paused'")).rejects.toMatchObject({ code: "42501" });
  await db.query("update affiliates set state = 'paused' where id = $1", [id]);
  await expect(run("update affiliates set state = 'active'")).rejects.toMatchObject({ code: "42501" });
});

test("after account deletion, commissions stay without a name, and the link earns nothing more", async () => {
  const person = await newPerson();
  const { id, code: theirs } = await join(person);
  const sold = await order({ from: theirs });
  await becomes(sold, "paid");
  await db.query("delete from auth.users where id = $1", [person]);
  const { rows } = await db.query("select user_id, state from affiliates where id = $1", [id]);
  expect(rows).toEqual([{ user_id: null, state: "left" }]);
  expect(await commissionsOf(sold)).toHaveLength(1);
  const late = await order({ from: theirs });
  await becomes(late, "paid");
  expect(await commissionsOf(late)).toEqual([]);
});
