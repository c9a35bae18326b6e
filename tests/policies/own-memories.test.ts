import { expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, WHO } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { ada, memoryId } = world;

/** Whether Ada's memory is one of the caller's own, for policies; "refused" without the right to read the view. */
const owns = (caller: Caller) =>
  asCaller(db, caller, async (tx) => {
    const { rows } = await tx.query("select from private.own_memories where id = $1", [memoryId]);
    return rows.length === 1;
  }).catch(() => "refused");

/** Callers without an account, and the service, have no policy that reads the view. */
const REFUSED = ["nobody", "visitor", "superseded", "guest", "wall", "letter", "service"];

test.each(WHO)("a memory is its owner's alone: %s", async (who) => {
  expect(await owns(world.callers[who])).toBe(REFUSED.includes(who) ? "refused" : who === "owner");
});

test("a memory in the trash is nobody's, and without the second factor nor is any other", async () => {
  await asCaller(db, world.callers.owner, (tx) => tx.query("delete from memories where id = $1", [memoryId]));
  expect(await owns(world.callers.owner)).toBe(false);
  await asCaller(db, world.callers.owner, (tx) =>
    tx.query("select restore_deleted($1)", [JSON.stringify([{ kind: "memory", id: memoryId }])]),
  );
  expect(await owns(world.callers.owner)).toBe(true);
  await db.query(
    "insert into auth.mfa_factors (user_id, factor_type, status, secret) values ($1, 'totp', 'verified', 'sealed')",
    [ada],
  );
  expect(await owns(world.callers.owner)).toBe(false);
  expect(await owns({ ...world.callers.owner, aal: "aal2" })).toBe(true);
});
