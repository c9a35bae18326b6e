import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { atEnd } from "../../tests/support/at-end.ts";
import { testDatabase } from "../../tests/support/database.ts";
import { administer } from "../../tests/support/postgres.ts";
import { asCaller, type Caller, queryAsCaller, VISITOR } from "./as-caller.ts";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";

const db = await testDatabase();
const ada: Caller = { role: "authenticated", sub: "7b0e5c6e-5a38-4c55-9d2f-1d1c4f0f4f10" };
const whoami = "select current_user::text || ' ' || coalesce(auth.uid()::text, 'nobody'), 1::bigint, null::bigint";

test("a statement runs with its caller's role and claims, and so does a transaction", async () => {
  expect(await queryAsCaller(db, ada, whoami)).toEqual({ body: `authenticated ${ada.sub}`, page: 1, total: null });
  const inside = await asCaller(db, ada, (tx) => tx.query<{ who: string }>("select current_user::text as who"));
  expect(inside.rows).toEqual([{ who: "authenticated" }]);
});

test("neither role nor claims outlive the call, whether it succeeds or fails", async () => {
  const own = async () =>
    (await db.query("select current_user::text as who, current_setting('request.jwt.claims', true) as claims")).rows[0];
  const before = await own();
  await queryAsCaller(db, ada, whoami);
  await expect(queryAsCaller(db, ada, "select (1 / 0)::text, 1::bigint, null::bigint")).rejects.toThrow();
  await expect(asCaller(db, ada, (tx) => tx.query("select 1 / 0"))).rejects.toThrow();
  expect({ ...(await own()), claims: null }).toEqual({ ...before, claims: null });
  expect((await queryAsCaller(db, VISITOR, whoami)).body).toBe("anon nobody");
});

test("values reach a statement as values only", async () => {
  const value = "'); drop table memories; --";
  const { body } = await queryAsCaller(db, ada, "select $1[1] || $1[2], 1::bigint, null::bigint", [value, ""]);
  expect(body).toBe(value);
});

test("a statement without a row is an error, never an empty answer", async () => {
  await expect(queryAsCaller(db, ada, "select ''::text, 1::bigint, null::bigint where false")).rejects.toThrow(
    "no row",
  );
});

test("dates pass through no time zone, and big counts are numbers", async () => {
  const { rows } = await db.query("select date '1931-03-12' as born, 7::bigint as count");
  expect(rows).toEqual([{ born: "1931-03-12", count: 7 }]);
});

/** The number of statements that the last used connection keeps. */
const keptBy = async (one: Database) =>
  (await one.query<{ count: number }>("select count(*) as count from pg_prepared_statements")).rows[0]?.count ?? 0;

test("a statement is prepared once for each role, and runs again when what it reads has changed", async () => {
  await db.exec(
    "create table changing (v text); grant select on changing to anon; insert into changing values ('1931')",
  );
  const read = "select v, 1::bigint, null::bigint from changing";
  const before = await keptBy(db);
  for (let times = 0; times < 12; times++) expect((await queryAsCaller(db, VISITOR, read)).body).toBe("1931");
  expect((await keptBy(db)) - before).toBeLessThanOrEqual(2);
  await expect(queryAsCaller(db, ada, read)).rejects.toMatchObject({ code: "42501" });
  await db.exec("alter table changing alter v type integer using v::integer");
  expect((await queryAsCaller(db, VISITOR, read)).body).toBe("1931");
  await db.exec("alter table changing enable row level security");
  await expect(queryAsCaller(db, VISITOR, read)).rejects.toThrow("no row");
  await db.exec("discard all");
  await expect(queryAsCaller(db, VISITOR, read)).rejects.toThrow("no row");
});

test("a statement with the planOnce option is planned at its first use only", async () => {
  const plansOf = async (text: string) => {
    const plans =
      "select generic_plans as general, custom_plans as own from pg_prepared_statements where statement = $1";
    return (await db.query<{ general: number; own: number }>(plans, [text])).rows;
  };
  const find = (planOnce: boolean) => `select $1[1], ${Number(planOnce)}::bigint, null::bigint`;
  for (const planOnce of [true, false]) {
    for (const value of ["1931", "1932", "1933"]) {
      expect((await queryAsCaller(db, ada, find(planOnce), [value], { planOnce })).body).toBe(value);
    }
  }
  expect(await plansOf(find(true))).toEqual([{ general: 3, own: 0 }]);
  expect(await plansOf(find(false))).toEqual([{ general: 0, own: 3 }]);
});

test("a statement with a refused role does not run, and a read-only statement cannot write", async () => {
  await db.exec("create table written (id integer); grant insert on written to authenticated");
  const write = "with w as (insert into written values (1) returning 1) select ''::text, count(*), null::bigint from w";
  await expect(queryAsCaller(db, { ...ada, role: "nobody" as never }, write)).rejects.toThrow("nobody");
  await expect(queryAsCaller(db, ada, write, [], { readOnly: true })).rejects.toMatchObject({ code: "25006" });
  expect((await db.query("select from written")).rows).toEqual([]);
  await queryAsCaller(db, ada, write);
  expect((await db.query("select from written")).rows).toHaveLength(1);
});

test("a connection keeps few prepared statements, and none if their memory cannot be measured", async () => {
  const wide = Array.from({ length: 3000 }, (_, n) => `$1[${n + 1}]`).join(", ");
  const ask = (by: Database, n: number, values = wide) =>
    queryAsCaller(by, VISITOR, `select (array[${values}])[2], ${n}::bigint, null::bigint`, ["a", `${n}`]);
  const one = await openPostgres(db.url);
  atEnd(() => one.close());
  for (let n = 0; n < 63; n++) expect(await ask(one, n)).toEqual({ body: `${n}`, page: n, total: null });
  expect(await keptBy(one)).toBeGreaterThan(60);
  await ask(one, 63);
  expect(await keptBy(one)).toBe(0);

  const plain = `plain_${randomUUID()}`;
  await administer(inject("superuserUrl"), `create role "${plain}" login password 'plain' in role anon`);
  const address = new URL(db.url);
  Object.assign(address, { username: plain, password: "plain" });
  const other = await openPostgres(address.href);
  atEnd(async () => {
    await other.close();
    await administer(inject("superuserUrl"), `drop role "${plain}"`);
  });
  for (let n = 0; n < 64; n++) expect((await ask(other, n, "$1[1], $1[2]")).body).toBe(`${n}`);
  expect(await keptBy(other)).toBe(0);
});
