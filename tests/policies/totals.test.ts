import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
beforeAll(async () => {
  await makeWorld(db);
});

/** The totals as the ledger has them, and as they are counted from the tables. */
async function totals() {
  const { rows } = await db.query<{ kept: object; counted: object }>(`
    select (select jsonb_object_agg(kind, amount) from (select kind, sum(amount) as amount from private.totals where kind !~ '^new '
        group by kind having sum(amount) <> 0) t) as kept,
      (select jsonb_object_agg(kind, amount) from (
        select 'accounts' as kind, count(*) as amount from auth.users
        union all select 'memories', count(*) from memories where deleted_at is null
        union all select 'media', count(*) from media where moderation not in ('deleted', 'attached')
        union all select 'stored', sum(stored) from private.account_use
        union all select 'card ' || making, count(*) from metal_cards group by 1
        union all select 'active ' || used_on, count(*) from private.account_days group by 1) t where amount <> 0) as counted`);
  return rows[0];
}

/** Changes of everything that is counted, each of several rows. */
const CHANGES = [
  "update memories set deleted_at = now(), draft = true where id in (select id from memories order by id limit 2)",
  "update media set moderation = 'deleted' where id in (select id from media where moderation = 'shown' order by id limit 1)",
  "delete from media where id in (select id from media where moderation = 'shown' order by id limit 1)",
  "update metal_cards set making = 'ordered' where id in (select id from metal_cards where making = 'waiting' limit 3)",
  "insert into auth.sessions (user_id, created_at) select id, now() - interval '3 days' from auth.users order by id limit 5",
  "update auth.sessions set refreshed_at = now() where user_id in (select account from private.account_days order by used_on limit 2)",
  "delete from auth.users where id in (select u.id from auth.users u join auth.sessions s on s.user_id = u.id order by u.id limit 1)",
];

test("the desk's totals are what the tables contain, after each change and after a merge", async () => {
  for (const change of CHANGES) {
    const before = await totals();
    await db.exec(change);
    const after = await totals();
    expect(after?.kept, change).toEqual(after?.counted);
    expect(JSON.stringify(after), change).not.toBe(JSON.stringify(before));
  }
  await db.query("select private.merge_totals()");
  const merged = await totals();
  expect(merged?.kept).toEqual(merged?.counted);
  const { rows } = await db.query("select kind from private.totals group by kind having count(*) > 1");
  expect(rows).toEqual([]);
  const days = async () =>
    (await db.query("select kind, sum(amount) from private.totals where kind ~ '^new sign_ups' group by 1")).rows;
  const before = await days();
  await db.query("delete from auth.users where id = (select id from auth.users order by id limit 1)");
  expect(await days()).toEqual(before);
  // As after rows were loaded without triggers.
  await db.query("update private.totals set amount = amount + 1");
  await db.query("select private.recount_totals()");
  const recounted = await totals();
  expect(recounted?.kept).toEqual(recounted?.counted);
});

test("the figures of today are the totals, and count an account for thirty days after its last use", async () => {
  await db.exec("delete from auth.sessions; delete from private.account_days");
  const use = (days: number) =>
    db.query(
      `insert into auth.sessions (user_id, created_at, refreshed_at) select id, now() - make_interval(days => $1), now() - make_interval(days => $1)
       from auth.users order by id limit 3`,
      [days],
    );
  const figures = async () => {
    await db.query("select private.count_figures()");
    const { rows } = await db.query<Record<string, unknown>>(
      "select accounts, active, all_memories, all_media, stored, cards from private.daily_figures order by day desc limit 1",
    );
    return rows[0];
  };
  await use(31);
  expect((await figures())?.active).toBe(0);
  await use(29);
  await use(2);
  const { rows } = await db.query(`
    select (select count(*) from auth.users) as accounts, 3::bigint as active, (select count(*) from memories where deleted_at is null) as all_memories,
      (select count(*) from media where moderation not in ('deleted', 'attached')) as all_media,
      (select coalesce(sum(stored), 0)::bigint from private.account_use) as stored,
      (select jsonb_object_agg(making, many) from (select making, count(*) as many from metal_cards group by 1) c) as cards`);
  expect(await figures()).toEqual(rows[0]);
});
