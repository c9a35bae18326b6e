import fc from "fast-check";
import { expect, test } from "vitest";
import { commissionFor, holdings, holdsAt, PLANS, statusOf, VOUCHERS } from "../support/money-model.ts";
import { openShop, type People, type Purchase } from "../support/money-shop.ts";
import { anyStory, BUYERS, KNOWN_STORIES, type Step, written } from "../support/money-steps.ts";
import { sandboxSettings } from "../support/payments.ts";
import { paymentsByHand } from "../support/payments-by-hand.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newRow } from "../support/sharing.ts";

/** The number of stories and their seed. For more of them, run with MONEY_RUNS=500 MONEY_SEED=7. */
const RUNS = Number(process.env.MONEY_RUNS ?? 40);
const SEED = Number(process.env.MONEY_SEED ?? 2026);
/** The time limit. A busy machine runs fewer stories within it. */
const PATIENCE_MS = process.env.MONEY_RUNS ? 3_600_000 : 20_000;

const hand = await paymentsByHand();
const server = await testServer({ ...sandboxSettings(hand), STRIPE_AUTOMATIC_TAX: "true" });
const { db } = server;
const people: People = { ada: await signUp(server), bob: await signUp(server), cleo: await signUp(server) };
const joined = await newRow(people.cleo.client, "affiliates", {}, "code");
for (const [code, { percentage, uses, each, cards }] of Object.entries(VOUCHERS)) {
  const limit = (most: number) => (Number.isFinite(most) ? most : null);
  await db.query(
    `insert into vouchers (code, percentage, max_uses, max_uses_per_person, applies_to_cards) values ($1, $2, $3, $4, $5)`,
    [code, percentage, limit(uses), limit(each), cards],
  );
}

interface Books {
  orders: { id: string; status: string; total: number; tax: number; refunded: number; paid: number | null }[];
  plans: { who: string; plan: string; starts: number; ends: number; amount: number; credit: number }[];
  counting: Record<string, string>;
  commissions: Record<string, { earned: number; amount: number; held: boolean }>;
  cards: Record<string, Record<string, number>>;
  uses: string[];
  receipts: { key: string; to: string; total: number }[];
  /** For each order, the amount in the emails to its buyer about refunds. */
  returns: Record<string, number>;
}

/** Reads everything in the product that depends on money. Times are in milliseconds since 1970. */
async function readBooks(): Promise<Books> {
  const { rows } = await db.query<{ books: Books }>(
    `select jsonb_build_object(
       'orders', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'status', status, 'total', total, 'tax', tax,
         'refunded', refunded, 'paid', (extract(epoch from paid_at) * 1000)::float8)), '[]') from orders),
       'plans', (select coalesce(jsonb_agg(jsonb_build_object('who', user_id, 'plan', plan_id, 'amount', amount, 'credit', credit,
         'starts', (extract(epoch from starts_at) * 1000)::float8, 'ends', (extract(epoch from expires_at) * 1000)::float8)
         order by user_id, starts_at), '[]') from user_subscriptions where status in ('active', 'waiting')),
       'counting', (select jsonb_object_agg(id, (select plan_id from private.limits_of(id))) from profiles),
       'commissions', (select coalesce(jsonb_object_agg(order_id,
         jsonb_build_object('earned', earned, 'amount', amount, 'held', held)), '{}') from commissions),
       'cards', (select coalesce(jsonb_object_agg(order_id, made), '{}') from (
         select order_id, jsonb_object_agg(making, n) as made
         from (select order_id, making, count(*) as n from metal_cards group by 1, 2) x group by 1) y),
       'uses', (select coalesce(jsonb_agg(order_id order by order_id), '[]') from voucher_uses where released_at is null),
       'receipts', (select coalesce(jsonb_agg(jsonb_build_object('key', dedupe_key, 'to', recipient, 'total', props -> 'total')
         order by dedupe_key), '[]') from private.outbox where template = 'receipt'),
       'returns', (select coalesce(jsonb_object_agg(id, back), '{}') from (
         select o.id, sum((m.props ->> 'amount')::int) as back from private.outbox m join orders o on o.number = m.props ->> 'number'
         where m.template = 'order-refunded' and m.recipient = o.email group by 1) z)) as books`,
  );
  const books = rows[0]?.books;
  if (!books) throw new Error("No books");
  return books;
}

const isCounted = ({ heard }: Purchase) => ["paid", "disputed"].includes(statusOf(heard));
/** Matches a time to a few milliseconds, because the database has a finer resolution. */
const about = (moment: number) => expect.closeTo(moment, -1);

/** Returns the books that the model expects. */
function expectedBooks(purchases: readonly Purchase[], books: Books) {
  const paidAt = new Map(books.orders.map(({ id, paid }) => [id, paid]));
  const plansByBuyer = Object.fromEntries(
    BUYERS.map((who) => [
      who,
      holdings(
        purchases
          .filter((one) => one.who === who && isCounted(one))
          .flatMap(({ id, lines, total, heard }) =>
            lines.flatMap(({ plan, total: amount }) =>
              plan
                ? [
                    {
                      plan,
                      at: paidAt.get(id) ?? 0,
                      amount: Math.round((amount * (total - heard.back)) / (total || 1)),
                    },
                  ]
                : [],
            ),
          ),
      ),
    ]),
  );
  const knownPurchases = purchases.filter((one) => one.wasPaid);
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  return {
    orders: purchases
      .map(({ id, total, heard, wasPaid }) => ({
        id,
        status: statusOf(heard),
        total,
        tax: wasPaid ? heard.tax : 0,
        refunded: wasPaid ? heard.back : 0,
        paid: wasPaid ? expect.any(Number) : null,
      }))
      .toSorted(byId),
    plans: BUYERS.flatMap((who) =>
      (plansByBuyer[who] ?? []).map(({ plan, starts, ends, amount, credit }) => ({
        who: people[who].id,
        plan,
        amount,
        credit,
        starts: about(starts),
        ends: about(ends),
      })),
    ).toSorted((one, other) => (one.who < other.who ? -1 : one.who > other.who ? 1 : 0)),
    counting: Object.fromEntries(BUYERS.map((who) => [people[who].id, holdsAt(plansByBuyer[who] ?? [], Date.now())])),
    commissions: Object.fromEntries(
      knownPurchases
        .filter(({ who, referred, total }) => referred && who !== "cleo" && total > 0)
        .map(({ id, heard }) => [
          id,
          {
            earned: commissionFor({ ...heard, back: 0 }),
            amount: commissionFor(heard),
            held: statusOf(heard) === "disputed",
          },
        ]),
    ),
    cards: Object.fromEntries(
      knownPurchases
        .filter(({ issued }) => issued)
        .flatMap(({ id, lines, heard, engraved }) => {
          const pieces = lines.reduce((sum, { plan, quantity }) => sum + (plan ? PLANS[plan].cards : quantity), 0);
          const making = engraved ? "engraved" : statusOf(heard) === "refunded" ? "cancelled" : "waiting";
          return pieces > 0 ? [[id, { [making]: pieces }]] : [];
        }),
    ),
    uses: purchases
      .filter(({ holds }) => holds)
      .map(({ id }) => id)
      .toSorted(),
    receipts: knownPurchases
      .map(({ id, who, total }) => ({ key: `receipt of ${id}`, to: people[who].email, total }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    returns: Object.fromEntries(
      knownPurchases.filter(({ heard }) => heard.back > 0).map(({ id, heard }) => [id, heard.back]),
    ),
  };
}

/** Returns the money at the provider by currency: all payments, minus refunds and lost disputes. */
function moneyAtTheProvider(): Record<string, number> {
  const { charges, disputes } = hand.store;
  const sums: Record<string, number> = { gbp: 0, eur: 0 };
  for (const { id, currency, amount, amount_refunded } of charges.values()) {
    const lost = [...disputes.values()].filter(({ charge, status }) => charge === id && status === "lost");
    sums[currency] = (sums[currency] ?? 0) + amount - amount_refunded - lost.reduce((sum, one) => sum + one.amount, 0);
  }
  return sums;
}

async function moneyInTheBooks(): Promise<Record<string, number>> {
  const { rows } = await db.query<{ currency: string; sum: number }>(
    "select lower(currency) as currency, sum(total - refunded)::int as sum from orders where paid_at is not null group by 1",
  );
  return { gbp: 0, eur: 0, ...Object.fromEntries(rows.map(({ currency, sum }) => [currency, sum])) };
}

async function beginAnew() {
  hand.forget();
  await db.exec(`delete from orders; delete from user_subscriptions; delete from private.outbox;
    delete from private.payment_events; delete from auth.attempts`);
}

test("any sequence of purchases, payments, refunds, disputes and events leaves every amount, card and date right", async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      await beginAnew();
      const shop = openShop(server, hand, people, joined.code);
      const messages: string[] = [];
      const check = async () => {
        const books = await readBooks();
        books.orders.sort((one, other) => (one.id < other.id ? -1 : 1));
        expect(books, `\n${messages.join("\n")}\n`).toEqual(expectedBooks(shop.purchases, books));
      };
      const take = async (step: (typeof story)[number]) => {
        messages.push(`${messages.length + 1}. ${written(step)}`);
        await shop.take(step).catch((error: unknown) => {
          throw new Error(`\n${messages.join("\n")}\n${error}`);
        });
        await check();
      };
      for (const step of story) await take(step);
      // At the end all events are delivered, and then delivered once more.
      await take({ does: "all news", backwards: true });
      expect(await moneyInTheBooks(), messages.join("\n")).toEqual(moneyAtTheProvider());
      await take({ does: "all news", backwards: false });
    }),
    {
      numRuns: RUNS,
      seed: SEED,
      examples: KNOWN_STORIES.map((story): [Step[]] => [story]),
      interruptAfterTimeLimit: PATIENCE_MS,
    },
  );
}, 3_700_000);
