import { expect, test } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { asCaller, type Caller, queryAsCaller, VISITOR } from "./as-caller.ts";

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
