import { beforeAll, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { fillDesk } from "../support/desk-data.ts";
import { sized } from "../support/long-tests.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db);
  await fillDesk(db, { accounts: sized(5000, 50_000), orders: sized(5000, 20_000) });
  await db.query("select private.count_figures()");
}, 300_000);

/** Tables that grow with the number of accounts and of what they do. */
const LARGE = `array['auth.users', 'auth.sessions', 'profiles', 'memories', 'media', 'storage.objects', 'orders', 'metal_cards',
  'private.outbox', 'audit_log', 'staff_notes']::regclass[]`;

/** What the desk reads first, as the web app asks for it. */
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
  "figures by day": "select * from desk_figures('day')",
  "figures by week": "select * from desk_figures('week')",
  "figures by month": "select * from desk_figures('month')",
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

test.each(Object.entries(FIRST_PAGES))(
  "%s: the first page comes from indexes, whatever there is",
  async (_name, text) => {
    const scanned = await asCaller(db, world.callers.administrator, async (tx) => {
      const scans = async () => {
        // Of the table itself, from its first row to its last; those of indexes are counted apart.
        const { rows } = await tx.query<{ name: string; scans: number }>(
          `select c::text as name, pg_stat_get_xact_numscans(c)::integer as scans from unnest(${LARGE}) c`,
        );
        return new Map(rows.map(({ name, scans }) => [name, scans]));
      };
      const before = await scans();
      await tx.query(text, text.includes("$1") ? [world.ada] : []);
      return [...(await scans())].filter(([name, after]) => after > (before.get(name) ?? 0)).map(([name]) => name);
    });
    expect(scanned).toEqual([]);
  },
);

test("the figures are those of the rows", async () => {
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
