import { beforeAll, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
const gone = "gone@example.com";
const other = "other@example.com";
beforeAll(async () => {
  world = await makeWorld(db);
  await db.query("insert into email_preferences (email, unsubscribed) values ($1, true), ($2, false)", [gone, other]);
  await db.query("insert into private.correspondents (user_id, email) values ($1, $2)", [world.bob, gone]);
});

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows);

test("Spec §7: a person who wrote to an address reads whether it is unsubscribed, and reads no other address", async () => {
  const text = "select unsubscribed from email_preferences where email = $1";
  expect(await run(world.callers.stranger, text, [gone])).toEqual([{ unsubscribed: true }]);
  expect(await run(world.callers.stranger, text, [other])).toEqual([]);
  expect(await run(world.callers.stranger, "select email from email_preferences")).toEqual([{ email: gone }]);
  expect(await run(world.callers.owner, text, [gone])).toEqual([]);
});

test("a person who wrote to an address cannot change or delete its preference", async () => {
  const text = "update email_preferences set unsubscribed = false where email = $1 returning email";
  expect(await run(world.callers.stranger, text, [gone])).toEqual([]);
  expect(await run(world.callers.stranger, "delete from email_preferences returning email")).toEqual([]);
});

test("a person changes the preference of their current address, without naming it", async () => {
  await expect(
    run(world.callers.stranger, "insert into email_preferences (unsubscribed) values (true)"),
  ).resolves.toEqual([]);
  const text = "select unsubscribed from email_preferences where email = $1";
  expect(await run(world.callers.stranger, text, [`${world.bob}@example.com`])).toEqual([{ unsubscribed: true }]);
  await db.query("update auth.users set email = $2 where id = $1", [world.bob, `new.${world.bob}@example.com`]);
  expect(await run(world.callers.stranger, text, [`${world.bob}@example.com`])).toEqual([]);
});

test("an unconfirmed address has no email preference", async () => {
  await db.query("update auth.users set email_confirmed_at = null where id = $1", [world.orphanId]);
  const orphan: Caller = { role: "authenticated", sub: world.orphanId };
  const text = "insert into email_preferences (email, unsubscribed) values ($1, true)";
  await expect(run(orphan, text, [`${world.orphanId}@example.com`])).rejects.toMatchObject({ code: "42501" });
});

test.each(["Ada@Example.com", "ada", "a b@example.com"])("%s is refused as an address", async (email) => {
  await expect(db.query("insert into email_preferences (email) values ($1)", [email])).rejects.toMatchObject({
    code: "23514",
  });
});
