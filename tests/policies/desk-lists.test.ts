import { beforeAll, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { fillDesk } from "../support/desk-data.ts";
import { sized } from "../support/long-tests.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
let isBefore18: boolean;
beforeAll(async () => {
  world = await makeWorld(db);
  await fillDesk(db, { accounts: sized(5000, 50_000), orders: sized(5000, 20_000) });
  await db.query("select private.count_figures()");
  const { rows } = await db.query<{ before: boolean }>(
    "select current_setting('server_version_num')::integer < 180000 as before",
  );
  isBefore18 = rows[0]?.before === true;
});

/** Tables that grow with the number of accounts and their activity. */
const LARGE = `array['auth.users', 'auth.sessions', 'profiles', 'memories', 'media', 'storage.objects', 'orders', 'metal_cards',
  'private.outbox', 'audit_log', 'staff_notes', 'inbox_items', 'contact_messages', 'order_items', 'card_deliveries',
  'affiliates', 'commissions', 'payouts', 'vouchers', 'voucher_uses', 'blog_posts', 'blog_revisions']::regclass[]`;

const NEWEST = "order by created_at desc, id";
/** Selects a column of the board, each card with its delivery and its order. */
const cardsOf = (which: string) =>
  `select c.*, d.carrier, o.number from (select * from metal_cards where ${which} limit 30) c
   left join lateral (select max(carrier) as carrier from card_deliveries where card_id = c.id) d on true
   left join lateral (select max(number) as number from orders where id = c.order_id) o on true`;

/** The first reads of the desk's pages, as the web app sends them. */
const FIRST_PAGES: Record<string, string> = {
  people: "select * from desk_people()",
  "people by name": "select * from desk_people('namepers surname7')",
  "people by address": "select * from desk_people('person77@exam')",
  "people by id": "select * from desk_people('00000000-0000-4000-8000-000000000000')",
  staff: "select * from desk_people('', 'staff')",
  "suspended people": "select * from desk_people('', 'suspended')",
  "a later page of people": "select * from desk_people('', 'all', now() - interval '6 months')",
  "one person": "select desk_person($1::uuid)",
  notes: "select * from staff_notes where user_id = $1::uuid order by created_at desc, id limit 50",
  "messages and reports": "select * from desk_inbox()",
  "messages by words": "select * from desk_inbox('nia77')",
  "messages of a state": "select * from desk_inbox(stage => 'open')",
  "messages of somebody": "select * from desk_inbox(stage => 'all', taken => 'me')",
  "one message": "select desk_inbox_item((select id from inbox_items order by created_at limit 1))",
  orders: `select * from orders ${NEWEST} limit 50`,
  "a later page of orders": `select * from orders where created_at <= now() - interval '6 months' ${NEWEST} limit 50`,
  "orders of a state": `select * from orders where status = 'refunded' ${NEWEST} limit 50`,
  "orders of an address": `select * from orders where email_key >= 'person77' and email_key < 'person77\u{10fffd}' ${NEWEST} limit 50`,
  "an order of a number": "select * from orders where number in ('SK-2026-000123', 'SK-2025-000123')",
  "one order": `select (select count(*) from order_items where order_id = o.id), (select count(*) from metal_cards where order_id = o.id),
    (select count(*) from refunds where order_id = o.id) from (select id from orders ${NEWEST} limit 1) o`,
  "cards to engrave": cardsOf("making = 'ordered' order by created_at, id"),
  "cards that were sent": cardsOf("making = 'sent' order by created_at desc, id desc"),
  "the cards of an order": `select c.id from metal_cards c join orders o on o.id = c.order_id
    where c.making = 'sent' and o.number = 'SK-2026-000123' order by c.created_at desc, c.id desc limit 30`,
  vouchers: `select * from vouchers where campaign_id is null ${NEWEST} limit 30`,
  "a voucher of a code": "select * from vouchers where code = 'FILL-77'",
  "uses of vouchers": `select * from voucher_use(array(select id from vouchers where campaign_id is null ${NEWEST} limit 30))`,
  campaigns: "select * from campaign_use()",
  affiliates: "select * from desk_affiliates()",
  "a later page of affiliates":
    "select * from desk_affiliates(after => now() - interval '6 months', after_id => $1::uuid)",
  payouts: "select * from payouts order by paid_at desc, id limit 50",
  posts: `select * from blog_posts ${NEWEST} limit 50`,
  "translations of posts": `select * from blog_posts where slug in ('post-1', 'post-2', 'post-3') order by language`,
  "earlier versions of a post":
    "select * from blog_revisions where slug = 'post-1' and language = 'en' order by id desc limit 20",
  "figures by day": "select * from desk_figures('day')",
  "figures by week": "select * from desk_figures('week')",
  "figures by month": "select * from desk_figures('month')",
  "files that could not be prepared": "select desk_file_failures()",
  "damaged files": "select desk_read_back()",
  queues: "select desk_queues()",
  "emails that were given up": "select * from desk_outbox('dead')",
  "emails that wait": "select * from desk_outbox('waiting')",
  "the audit log": "select * from audit_log order by happened_at desc, id desc limit 50",
  "the audit log of an action":
    "select * from audit_log where action = 'person.plan' order by happened_at desc, id desc limit 50",
  "the audit log of a subject":
    "select * from audit_log where subject = $1::text order by happened_at desc, id desc limit 50",
  "the audit log of an actor":
    "select * from audit_log where actor = $1::uuid order by happened_at desc, id desc limit 50",
  "the audit log of a day":
    "select * from audit_log where happened_at >= now() - interval '100 days' and happened_at <= now() - interval '99 days' order by happened_at desc, id desc limit 50",
};

/**
 * Tables that PostgreSQL before 18 reads whole at this size: it expects thirty searches of an index to read more pages than the
 * fifty of the table.
 */
const SHORT_BEFORE_18: Record<string, string> = { "uses of vouchers": "voucher_uses" };

test.each(Object.entries(FIRST_PAGES))(
  "%s: the first page is read by indexes, without a scan of a large table",
  async (name, text) => {
    const scanned = await asCaller(db, world.callers.administrator, async (tx) => {
      const scans = async () => {
        // Scans of the table itself, from its first row to its last. Those of indexes are counted separately.
        const { rows } = await tx.query<{ name: string; scans: number }>(
          `select c::text as name, pg_stat_get_xact_numscans(c)::integer as scans from unnest(${LARGE}) c`,
        );
        return new Map(rows.map(({ name, scans }) => [name, scans]));
      };
      const before = await scans();
      await tx.query(text, text.includes("$1") ? [world.ada] : []);
      return [...(await scans())].filter(([name, after]) => after > (before.get(name) ?? 0)).map(([name]) => name);
    });
    expect(scanned.filter((table) => !(isBefore18 && SHORT_BEFORE_18[name] === table))).toEqual([]);
  },
);

test("the figures equal the counts of the rows", async () => {
  const rows = await asCaller(
    db,
    world.callers.support,
    async (tx) =>
      (await tx.query<{ sign_ups: number; revenue: { GBP?: number } }>("select * from desk_figures('month')")).rows,
  );
  expect(rows).toHaveLength(24);
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + Number(of(row)), 0);
  const { rows: counted } = await db.query<{ accounts: number; pence: number }>(
    "select (select count(*) from auth.users) as accounts, (select sum(total) from orders where paid_at is not null and currency = 'GBP') as pence",
  );
  expect(sum((row) => row.sign_ups)).toBe(Number(counted[0]?.accounts));
  expect(sum((row) => row.revenue.GBP ?? 0)).toBe(Number(counted[0]?.pence));
});

test("each part of a refund counts in the week in which it was made, and an answered message no longer counts as waiting", async () => {
  const figures = async () => {
    const read = "select since::text, refunds from desk_figures('week')";
    const { rows } = await asCaller(db, world.callers.support, (tx) =>
      tx.query<{ since: string; refunds: { EUR?: number } }>(read),
    );
    return new Map(rows.map(({ since, refunds }) => [since, refunds.EUR ?? 0]));
  };
  const { rows } = await db.query<{ id: string }>(
    "select id from orders where status = 'paid' and currency = 'EUR' and refunded = 0 order by created_at limit 1",
  );
  const order = rows[0]?.id;
  const before = await figures();
  await db.query("update orders set refunded = 500 where id = $1", [order]);
  await db.query("update private.returned_amounts set returned_at = now() - interval '21 days' where order_id = $1", [
    order,
  ]);
  await db.query("update orders set refunded = 1200 where id = $1", [order]);
  const gained = [...(await figures())]
    .map(([since, amount]) => amount - (before.get(since) ?? 0))
    .filter((more) => more !== 0);
  expect(gained).toEqual([500, 700]);
  const { rows: faults } = await db.query(
    `select * from (select day, currency, sum(paid) as paid, sum(returned) as returned from private.daily_money group by 1, 2) d
     full join private.counted_money() c using (day, currency)
     where (coalesce(d.paid, 0), coalesce(d.returned, 0)) <> (coalesce(c.paid, 0), coalesce(c.returned, 0))`,
  );
  expect(faults).toEqual([]);

  const waiting = async () => {
    const { rows } = await asCaller(db, world.callers.support, (tx) =>
      tx.query<{ messages: number }>("select (desk_queues() ->> 'messages')::integer as messages"),
    );
    return rows[0]?.messages ?? 0;
  };
  const all = await waiting();
  const change = (state: string) =>
    db.query(
      "update inbox_items set state = $1 where id = (select id from inbox_items where kind = 'message' order by created_at, id limit 1)",
      [state],
    );
  await change("open");
  const open = await waiting();
  await change("answered");
  expect(open - (await waiting())).toBe(1);
  expect(all).toBeGreaterThan(0);
});

test("a page of affiliates continues after the last row of the page before, even among equal joining times", async () => {
  await db.query("update affiliates set created_at = '2020-01-01' where created_at < now() - interval '11 months'");
  const page = (after: string, id: string | null) =>
    asCaller(db, world.callers.administrator, async (tx) => {
      const read =
        "select id, created_at::text from desk_affiliates('', $1::timestamptz, coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid, 7)";
      return (await tx.query<{ id: string; created_at: string }>(read, [after, id])).rows;
    });
  const seen: string[] = [];
  for (
    let rows = await page("2020-01-02", null);
    rows.length > 0;
    rows = await page("2020-01-01", seen.at(-1) ?? null)
  ) {
    seen.push(...rows.map(({ id }) => id));
  }
  const { rows } = await db.query<{ many: number }>(
    "select count(*) as many from affiliates where created_at = '2020-01-01'",
  );
  expect(seen.length).toBeGreaterThan(7);
  expect([seen.length, new Set(seen).size]).toEqual([Number(rows[0]?.many), Number(rows[0]?.many)]);
});
