import { beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { emptyDatabase, testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
let ids: Record<Kind, string>;

type Kind = "media" | "story" | "comment";
const kinds: Kind[] = ["media", "story", "comment"];

const ask = async <T = Record<string, unknown>>(caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<T & Record<string, unknown>>(text, values)).rows);
const DELETE: Record<Kind, string> = {
  media: "delete from storage.objects where id = $1",
  story: "delete from stories where id = $1",
  comment: "select withdraw_comment($1)",
};
const remove = (who: Caller, kind: Kind, id: string) => ask(who, DELETE[kind], [id]);
const restore = async (who: Caller, kind: Kind, id: string) =>
  (await ask<{ items: unknown[] }>(who, "select restore_deleted($1) as items", [JSON.stringify([{ kind, id }])]))[0]
    ?.items;

describe("what a co-owner deleted of others", () => {
  const seen = async (who: Caller) =>
    (await ask<{ kind: Kind }>(who, "select kind from deleted_items() order by kind")).map(({ kind }) => kind);
  const everything = ["comment", "media", "story"];
  let helper: Caller;
  beforeEach(async () => {
    await emptyDatabase(db);
    await db.exec("delete from storage.buckets where id = 'spare'; delete from orders; delete from vouchers");
    world = await makeWorld(db);
    ids = { media: world.objectId, story: world.storyId, comment: world.commentId };
    helper = world.callers["co-owner"];
    await db.query("delete from trash");
    for (const kind of kinds) await remove(helper, kind, ids[kind]);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "is removed by the owner",
      () => ask(world.callers.owner, "delete from memory_members where user_id = $1", [helper.sub]),
    ],
    ["leaves", () => ask(helper, "delete from memory_members where user_id = $1", [helper.sub])],
    [
      "becomes a contributor",
      () => ask(world.callers.owner, "update memory_members set role = 'contributor' where user_id = $1", [helper.sub]),
    ],
    ["is blocked", () => ask(world.callers.owner, "select block_person($1, $2)", [world.memoryId, helper.sub])],
    ["deletes their account", () => db.query("delete from auth.users where id = $1", [helper.sub])],
  ])("Spec §4: can be restored by the owner once the co-owner %s, and no longer by them", async (_how, ends) => {
    const { owner } = world.callers;
    expect([await seen(owner), await seen(helper)]).toEqual([[], everything]);
    await ends();
    expect([await seen(owner), await seen(helper)]).toEqual([everything, []]);
    for (const kind of kinds) {
      expect(await restore(helper, kind, ids[kind])).toEqual([]);
      expect(await restore(owner, kind, ids[kind])).toHaveLength(1);
    }
    expect(await ask(owner, "select from media where id = $1", [world.objectId])).toHaveLength(1);
  });

  test("stays theirs to restore while they are a co-owner, and as the new owner", async () => {
    const { owner } = world.callers;
    await db.query(
      "insert into user_subscriptions (user_id, plan_id, expires_at) values ($1, 'skies-memories', now() + interval '1 year')",
      [helper.sub],
    );
    await ask(helper, "select accept_handover($1)", [world.memoryId]);
    // All accounts cannot be deleted at once while a report is about the memory of one that was made later.
    await db.query("delete from reports");
    expect([await seen(owner), await seen(helper)]).toEqual([[], everything]);
  });

  test("is passed on without their own contributions, which nobody else may restore", async () => {
    const { owner } = world.callers;
    const begun = "insert into stories (memory_id, body) values ($1, '<p>Mine.</p>') returning id";
    const id = (await ask<{ id: string }>(helper, begun, [world.memoryId]))[0]?.id ?? "";
    await remove(helper, "story", id);
    await ask(owner, "delete from memory_members where user_id = $1", [helper.sub]);
    expect(await seen(owner)).toEqual(everything);
    expect(await restore(owner, "story", id)).toEqual([]);
  });
});
