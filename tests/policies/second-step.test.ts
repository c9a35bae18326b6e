import { beforeAll, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";
import { statements } from "./statements.ts";

const db = await testDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db);
  await db.query(
    `insert into auth.mfa_factors (user_id, factor_type, status, secret)
     values ($1, 'totp', 'verified', 'sealed'), ($2, 'totp', 'unverified', 'sealed')`,
    [world.ada, world.bob],
  );
});

const reach = (caller: Caller, [text, values]: [string, unknown[]]) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows.length);

test("every table that a signed-in person can reach asks for their second step", async () => {
  const { rows } = await db.query(`
    select p.polrelid::regclass::text as table from pg_policy p
    where 'authenticated'::regrole = any (p.polroles) and p.polpermissive
    group by p.polrelid having not exists (
      select from pg_policy r where r.polrelid = p.polrelid and r.polname = 'after the second step'
        and not r.polpermissive and r.polcmd = '*' and 'authenticated'::regrole = any (r.polroles))`);
  expect(rows).toEqual([]);
});

test("a password alone opens nothing of somebody who has protected their account, and both steps all of it", async () => {
  const { owner } = world.callers;
  for (const { select } of Object.values(statements(world, "owner"))) {
    const [half, whole] = [
      await reach({ ...owner, aal: "aal1" }, select).catch(() => 0),
      await reach({ ...owner, aal: "aal2" }, select).catch(() => 0),
    ];
    expect([select[0], half]).toEqual([select[0], 0]);
    if (/from (profiles|memories|media|share_links|storage\.objects)/.test(select[0])) expect(whole).toBe(1);
  }
  const added: [string, unknown[]] = ["insert into memories (person_name) values ('New')", []];
  await expect(reach({ ...owner, aal: "aal1" }, added)).rejects.toThrow("row-level security");
  expect(await reach({ ...owner, aal: "aal2" }, added)).toBe(0);
});

test("functions that act by themselves do nothing for a password alone", async () => {
  const half: Caller = { ...world.callers.owner, aal: "aal1" };
  const { memoryId, objectId, linkId } = world;
  for (const [text, id] of [
    ["select set_cover($1)", objectId],
    ["select arrange_media($1, '{}')", memoryId],
    ["select remake_link($1)", linkId],
  ] as const) {
    await expect(reach(half, [text, [id]])).rejects.toMatchObject({ code: "PT404" });
  }
  const rights = await asCaller(db, half, (tx) =>
    tx.query<{ may: object }>("select memory_rights($1) as may", [memoryId]),
  );
  expect(rights.rows).toEqual([{ may: expect.objectContaining({ role: null, see: false }) }]);
  expect(await reach(half, ["select * from link_openings($1)", [linkId]])).toBe(0);
});

test("a factor that was never verified asks for nothing", async () => {
  const bob: Caller = { role: "authenticated", sub: world.bob, aal: "aal1" };
  expect(await reach(bob, ["select id from memories where user_id = $1", [world.bob]])).toBe(1);
});

test("whoever holds a link sees what it opens, whatever its owner's second step", async () => {
  expect(await reach(world.callers.visitor, ["select id from memories where id = $1", [world.memoryId]])).toBe(1);
});
