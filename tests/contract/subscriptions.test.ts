import { QueryClient } from "@tanstack/react-query";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { heldPlansQuery } from "../../web/data/held-plans.queries.ts";
import { readSubscription } from "../../web/data/plans.queries.ts";
import { planChange } from "../../web/features/plans/plan-change.ts";
import { emptyDatabase } from "../support/database.ts";
import { makeOrder, settle } from "../support/orders.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const { db } = server;
let ada: Person;

beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders");
  ada = await signUp(server, "Ada");
});

const PRICES = { "skies-memories": 4500, "skies-pro": 12_000, "skies-master": 18_000 };
type Plan = keyof typeof PRICES;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** Buys a plan this many days from now. Resolves to the order's id. */
async function buy(plan: Plan, days = 0, { amount = PRICES[plan] as number, terms = {} } = {}): Promise<string> {
  const order = await makeOrder(db, { user: ada, plans: [{ plan, amount, terms }] });
  await settle(db, order, "paid", { at: inDays(days) });
  return order;
}

interface Row {
  plan_id: Plan;
  status: string;
  starts_at: Date;
  expires_at: Date;
  amount: number;
  credit: number;
}
const rows = async () =>
  (
    await db.query<Row>(
      `select plan_id, status, starts_at, expires_at, amount, credit from user_subscriptions
       where user_id = $1 order by created_at, id`,
      [ada.id],
    )
  ).rows;
const limits = async () =>
  (await db.query<{ plan_id: string; expires_at: Date | null }>("select * from private.limits_of($1)", [ada.id]))
    .rows[0];
const yearsAfter = (moment: Date | undefined, years: number) => {
  const later = new Date(moment ?? "");
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
};

describe("a paid order becomes a subscription", () => {
  test("Spec §4: from the payment on, for its calendar years", async () => {
    await buy("skies-pro", -10);
    const [row] = await rows();
    expect(row).toMatchObject({ plan_id: "skies-pro", status: "active", amount: 12_000, credit: 0 });
    expect(row?.expires_at).toEqual(yearsAfter(row?.starts_at, 3));
    expect(await readSubscription(ada.client, ada.id)).toMatchObject({ plan_id: "skies-pro", storage_gb: 250 });
  });

  test("renewing the same plan adds its term to the end of the running one", async () => {
    await buy("skies-memories", -100);
    await buy("skies-memories");
    const [first, second] = await rows();
    expect(second).toMatchObject({ status: "active", starts_at: first?.expires_at });
    expect((await limits())?.expires_at).toEqual(yearsAfter(first?.starts_at, 2));
  });

  test("an upgrade replaces the old plan and credits its rest, and a downgrade waits", async () => {
    await buy("skies-memories", -100);
    await buy("skies-master");
    const [old, current] = await rows();
    expect(old).toMatchObject({ status: "replaced" });
    expect(current?.status).toBe("active");
    expect(current?.credit).toBeGreaterThan(3200);
    expect(await limits()).toMatchObject({ plan_id: "skies-master", expires_at: current?.expires_at });

    await buy("skies-pro");
    expect((await rows())[2]).toMatchObject({ status: "waiting", starts_at: current?.expires_at });
    expect(await limits()).toMatchObject({ plan_id: "skies-master", expires_at: current?.expires_at });
    // The plan's time comes: it counts at once, and the job records that it has begun.
    await db.query(
      `update user_subscriptions set starts_at = now() - interval '1 day', expires_at = now() + interval '3 years'
       where status = 'waiting'`,
    );
    await db.query("update user_subscriptions set expires_at = now() where plan_id = 'skies-master'");
    expect(await limits()).toMatchObject({ plan_id: "skies-pro" });
    await db.query("select private.begin_waiting_subscriptions()");
    expect(await readSubscription(ada.client, ada.id)).toMatchObject({ plan_id: "skies-pro" });
  });

  test("a refund ends the plan, removes its credit, and restores the plan that it replaced", async () => {
    const first = await buy("skies-memories", -100);
    const second = await buy("skies-pro");
    await settle(db, second, "refunded");
    expect((await rows()).map(({ status }) => status)).toEqual(["active", "refunded"]);
    expect(await limits()).toMatchObject({ plan_id: "skies-memories" });
    const third = await buy("skies-pro", 0);
    await settle(db, first, "refunded");
    expect((await rows()).find(({ status }) => status === "active")).toMatchObject({ plan_id: "skies-pro", credit: 0 });
    // A dispute is not lost yet, and a dispute that is won changes nothing.
    await settle(db, third, "disputed");
    expect(await limits()).toMatchObject({ plan_id: "skies-pro" });
    await settle(db, third, "refunded");
    expect(await limits()).toMatchObject({ plan_id: "skies-starter" });
  });

  test("a sold plan keeps its terms when the catalogue changes", async () => {
    const terms = { name: "Skies Pro", max_memories: null, storage_gb: 250, term_years: 3, included_cards: 3 };
    await buy("skies-pro", -5, { terms });
    await db.query(
      "update subscription_plans set storage_gb = 10, name = 'Skies Small', max_memories = 3 where id = 'skies-pro'",
    );
    try {
      await buy("skies-memories");
      expect(await limits()).toMatchObject({ name: "Skies Pro", storage_gb: 250, max_memories: null });
      expect(await readSubscription(ada.client, ada.id)).toMatchObject({ plan_name: "Skies Pro", storage_gb: 250 });
    } finally {
      await db.query(
        "update subscription_plans set storage_gb = 250, name = 'Skies Pro', max_memories = null where id = 'skies-pro'",
      );
    }
  });

  test("a granted plan counts with its price as credit for a larger one", async () => {
    await server.service().rpc("grant_plan", { email: ada.email, plan: "skies-memories", years: 2 }).throwOnError();
    await buy("skies-pro");
    const [grant, bought] = await rows();
    expect(grant).toMatchObject({ status: "replaced", amount: expect.closeTo(9000, -2) });
    expect(bought?.credit).toBeGreaterThan(8990);
  });

  test("a year from 29 February ends on 28 February", async () => {
    const order = await makeOrder(db, { user: ada, plans: [{ plan: "skies-memories", amount: 4500 }] });
    await settle(db, order, "paid", { at: new Date("2024-02-29T10:00:00Z") });
    expect((await rows())[0]?.expires_at).toEqual(new Date("2025-02-28T10:00:00Z"));
  });
});

test("the page's preview of a purchase matches its effect", async () => {
  const catalogue = await ada.client.from("subscription_plans").select("id, position");
  const positions = Object.fromEntries((catalogue.data ?? []).map(({ id, position }) => [id, position]));
  const terms: Record<Plan, number> = { "skies-memories": 1, "skies-pro": 3, "skies-master": 5 };
  for (const plan of ["skies-memories", "skies-memories", "skies-master", "skies-pro"] as const) {
    const ownPlans = await new QueryClient().fetchQuery(heldPlansQuery(ada.client, ada.id));
    const offer = { id: plan, position: positions[plan] ?? 0, term_years: terms[plan], amount: PRICES[plan] };
    const said = planChange(ownPlans, positions, offer, new Date());
    await buy(plan);
    const bought = (await rows()).at(-1);
    expect(Math.abs((bought?.expires_at.getTime() ?? 0) - said.expiresAt.getTime())).toBeLessThan(DAY_MS);
    expect(Math.abs((bought?.credit ?? 0) - said.credit)).toBeLessThanOrEqual(1);
  }
});

describe("payments and refunds in any order", () => {
  const purchase = fc.record({
    plan: fc.constantFrom<Plan>("skies-memories", "skies-pro", "skies-master"),
    days: fc.integer({ min: -1500, max: 0 }),
    refunded: fc.constantFrom(0, 0, 0, 0.4, 1),
  });
  const anyPurchases = fc.uniqueArray(purchase, { minLength: 1, maxLength: 5, selector: ({ days }) => days });

  test("give the same subscriptions, also when repeated, and no paid plan is lost", () =>
    fc.assert(
      fc.asyncProperty(anyPurchases, fc.infiniteStream(fc.nat()), async (purchases, luck) => {
        const now = Date.now();
        const tell = async (order: (typeof purchases)[number][]) => {
          await db.query("delete from user_subscriptions where user_id = $1", [ada.id]);
          await db.exec("delete from orders");
          for (const { plan, days, refunded } of order) {
            const amount = PRICES[plan];
            const id = await makeOrder(db, { user: ada, plans: [{ plan, amount }] });
            await settle(db, id, "paid", { at: new Date(now + days * DAY_MS) });
            if (refunded > 0) {
              await settle(db, id, refunded === 1 ? "refunded" : "paid", { refunded: Math.round(amount * refunded) });
            }
          }
          return (await rows()).filter(({ status }) => status !== "refunded");
        };
        const shuffled = purchases
          .map((one) => ({ one, at: luck.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one);
        const result = await tell(purchases.toSorted((a, b) => a.days - b.days));
        expect(await tell(shuffled)).toEqual(result);
        await db.query("select private.recalculate_subscriptions($1)", [ada.id]);
        expect((await rows()).filter(({ status }) => status !== "refunded")).toEqual(result);

        // A simple model: a person who has paid for a plan whose own term has not passed holds that plan or a larger
        // one.
        const rank = (plan: string) => ["skies-starter", ...Object.keys(PRICES)].indexOf(plan);
        const years: Record<Plan, number> = { "skies-memories": 1, "skies-pro": 3, "skies-master": 5 };
        const due = purchases
          .filter(({ plan, days, refunded }) => refunded < 1 && days > -365 * years[plan])
          .map(({ plan }) => rank(plan));
        const holds = await limits();
        expect(rank(holds?.plan_id ?? "")).toBeGreaterThanOrEqual(Math.max(0, ...due));
        // Only one plan at a time: the active plan does not overlap with a waiting one.
        const periods = result
          .filter(({ status }) => status !== "replaced")
          .toSorted((a, b) => +a.starts_at - +b.starts_at);
        for (const [place, row] of periods.entries()) {
          const before = periods[place - 1];
          if (before) expect(+row.starts_at).toBeGreaterThanOrEqual(+before.expires_at);
        }
      }),
      { numRuns: 25 },
    ));
});
