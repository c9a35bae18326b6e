import { beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { owner, wall: screen, viewer } = world.callers;
const { wallId, memoryId, objectId, commentId, reactionId } = world;

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Record<string, unknown>>(text, values)).rows);
const set = (assignments: string, caller = owner) =>
  run(caller, `update walls set ${assignments} where id = $1 returning *`, [wallId]).then(([row]) => row);

const SHOWN = { media: 1, comments: 1, reactions: 1, media_credits: 1, comment_credits: 1, reaction_credits: 1 };
const NOTHING = { media: 0, comments: 0, reactions: 0, media_credits: 0, comment_credits: 0, reaction_credits: 0 };

/** The number of rows of each table that a screen reads. */
async function seenBy(caller: Caller) {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(SHOWN)) counts[table] = (await run(caller, `select 1 from ${table}`)).length;
  return counts;
}

beforeEach(async () => {
  await db.query(
    "update memories set kind = 'tribute', deleted_at = null, draft = false, person_name = 'Someone' where id = $1",
    [memoryId],
  );
  await db.query(
    `update walls set version = 1, revoked_at = null, expires_at = null, shows_pictures = true, shows_words = true, shows_candles = true,
       shows_names = true, layout = 'one', pace = 10, is_paused = false, step = 0 where id = $1`,
    [wallId],
  );
  await db.query("update walls set version = 1, changes = 0, anchor_tick = 0, anchored_at = now() where id = $1", [
    wallId,
  ]);
  await db.query("update media set moderation = 'shown', state = 'ready', type = 'image', pages = null where id = $1", [
    objectId,
  ]);
  await db.query("update comments set moderation = 'shown', media_id = null where id = $1", [commentId]);
  await db.query("update reactions set moderation = 'shown', media_id = null where id = $1", [reactionId]);
});

test("a screen reads what its wall shows", async () => {
  expect(await seenBy(screen)).toEqual(SHOWN);
  expect(await run(screen, "select id from storage.objects")).toEqual([{ id: objectId }]);
  expect(await run(screen, "select storage.access_to(o) as access from storage.objects o")).toEqual([
    { access: "view" },
  ]);
});

describe.each([
  ["is off", "update walls set revoked_at = now() where id = $1"],
  ["has another address", "update walls set wall_id = private.new_share_id() where id = $1"],
  ["has ended", "update walls set expires_at = now() - interval '1 s' where id = $1"],
  ["belongs to a draft", "update memories set draft = true where id = (select memory_id from walls where id = $1)"],
])("a wall that %s", (_state, statement) => {
  test("shows nothing and answers nothing, and its screen can still read that", async () => {
    await db.query(statement, [wallId]);
    expect(await seenBy(screen)).toEqual(NOTHING);
    expect(await run(screen, "select id from storage.objects")).toEqual([]);
    expect(await run(screen, "select wall_head() as head")).toEqual([{ head: null }]);
    expect(await run(screen, "select id from walls")).toEqual([{ id: wallId }]);
  });
});

test("the memory's deletion ends the wall, and an undone deletion needs a new token", async () => {
  await run(owner, "delete from memories where id = $1", [memoryId]);
  expect(await seenBy(screen)).toEqual(NOTHING);
  const { rows } = await db.query<{ version: number }>("select version from walls where id = $1", [wallId]);
  expect(rows[0]?.version).toBeGreaterThan(1);
});

test.each([
  ["shows_pictures = false", { ...SHOWN, media: 0, media_credits: 0 }],
  ["shows_words = false", { ...SHOWN, comments: 0, comment_credits: 0 }],
  ["shows_candles = false", { ...SHOWN, reactions: 0, reaction_credits: 0 }],
  ["shows_names = false", { ...SHOWN, media_credits: 0, comment_credits: 0, reaction_credits: 0 }],
])("with %s a screen reads less", async (assignment, expected) => {
  await set(assignment);
  expect(await seenBy(screen)).toEqual(expected);
});

test.each([
  ["media", "moderation = 'held'"],
  ["media", "moderation = 'hidden'"],
  ["media", "moderation = 'deleted'"],
  ["media", "state = 'waiting'"],
  ["media", "state = 'broken'"],
  ["media", "pages = 1"],
  ["media", "type = 'audio'"],
  ["comments", "moderation = 'held'"],
  ["comments", "moderation = 'hidden'"],
  ["comments", "media_id = (select id from media where memory_id = comments.memory_id limit 1)"],
  ["comments", "deleted_at = now(), body = ''"],
  ["reactions", "moderation = 'held'"],
  ["reactions", "kind = 'heart'"],
])("a screen reads no row of %s with %s", async (table, assignment) => {
  const id = { media: objectId, comments: commentId, reactions: reactionId }[table];
  await db.query(`update ${table} set ${assignment} where id = $1`, [id]);
  expect(await run(screen, `select 1 from ${table}`)).toEqual([]);
  if (table === "media") expect(await run(screen, "select 1 from storage.objects")).toEqual([]);
  await db.query(
    `update ${table} set ${table === "comments" ? "deleted_at = null, body = 'X'" : table === "reactions" ? "kind = 'candle'" : "type = 'image'"} where id = $1`,
    [id],
  );
});

test("a wall shows nothing before the reveal, also no number", async () => {
  await db.query("update reveals set revealed = false, reveal_at = null where memory_id = $1", [memoryId]);
  await db.query("insert into reveals (memory_id) values ($1) on conflict do nothing", [memoryId]);
  const head = () => run(screen, "select wall_head() as head").then(([row]) => row?.head);
  expect(await seenBy(screen)).toEqual(NOTHING);
  expect(await run(screen, "select 1 from memory_withdrawals union all select 1 from storage.objects")).toEqual([]);
  expect(await head()).toMatchObject({ waits: true, candles: null });
  await db.query("update reveals set revealed = true where memory_id = $1", [memoryId]);
  expect(await seenBy(screen)).toEqual(SHOWN);
  expect(await head()).toMatchObject({ waits: false, candles: 1 });
});

test("a tribute's new wall shows no pictures before its family allows them, whatever was asked", async () => {
  await db.query("delete from walls");
  await expect(
    run(owner, "insert into walls (memory_id, shows_pictures) values ($1, true)", [memoryId]),
  ).rejects.toMatchObject({ code: "42501" });
  const [tribute] = await run(owner, "insert into walls (memory_id) values ($1) returning *", [memoryId]);
  expect(tribute).toMatchObject({ shows_pictures: false, shows_words: true });
  await db.query("delete from walls");
  await db.query("update memories set kind = 'event' where id = $1", [memoryId]);
  const [event] = await run(owner, "insert into walls (id, memory_id) values ($1, $2) returning *", [
    wallId,
    memoryId,
  ]).catch(() => []);
  expect(event).toBeUndefined();
  const [added] = await run(owner, "insert into walls (memory_id) values ($1) returning *", [memoryId]);
  expect(added).toMatchObject({ shows_pictures: true });
  await db.query("update memories set kind = 'tribute' where id = $1", [memoryId]);
  expect((await db.query("select shows_pictures from walls")).rows).toEqual([{ shows_pictures: false }]);
  await db.query("delete from walls");
  await db.query(
    "insert into walls (id, memory_id, link_id) select $1, $2, id from share_links where memory_id = $2 and rights = 'contribute'",
    [wallId, memoryId],
  );
});

test("wall_head answers name and link, while the link is open and allows adding", async () => {
  const head = () => run(screen, "select wall_head() as head").then(([row]) => row?.head as Record<string, unknown>);
  const link = "(select link_id from walls where id = $1)";
  const { rows } = await db.query<{ share_id: string }>(`select share_id from share_links where id = ${link}`, [
    wallId,
  ]);
  expect(await head()).toMatchObject({
    name: "Someone",
    kind: "tribute",
    share_id: rows[0]?.share_id,
    asks: null,
    candles: 1,
  });
  for (const [end, undo] of [
    ["revoked_at = now()", "revoked_at = null"],
    ["expires_at = now() - interval '1 s'", "expires_at = null"],
    ["rights = 'view'", "rights = 'contribute'"],
  ]) {
    await db.query(`update share_links set ${end} where id = ${link}`, [wallId]);
    expect(await head()).toMatchObject({ share_id: null });
    await db.query(`update share_links set ${undo} where id = ${link}`, [wallId]);
  }
  const { rows: after } = await db.query<{ changes: number }>("select changes from walls where id = $1", [wallId]);
  expect(after[0]?.changes).toBe(6);
  for (const caller of [owner, viewer, world.callers.visitor, world.callers.nobody])
    expect(await run(caller, "select 1 where wall_head() is null").catch(() => "refused")).toEqual(
      caller.role === "anon" ? [{ "?column?": 1 }] : "refused",
    );
});

test("the QR code leads only to a link of the memory that allows adding", async () => {
  for (const id of [world.openLinkId, world.linkId, crypto.randomUUID()])
    await expect(set(`link_id = '${id}'`)).rejects.toMatchObject({ code: "PT400" });
  await expect(set("expires_at = now() - interval '1 s'")).rejects.toMatchObject({ code: "PT400" });
});

test("the remote control moves on from the present picture", async () => {
  await db.query("update walls set anchored_at = now() - interval '95 s' where id = $1", [wallId]);
  expect(await set("step = step + 1")).toMatchObject({ anchor_tick: 10, version: 1 });
  expect(await set("step = step - 1")).toMatchObject({ anchor_tick: 9 });
  expect(await set("pace = 20")).toMatchObject({ anchor_tick: 9 });
  expect(await set("is_paused = true")).toMatchObject({ anchor_tick: 9 });
  await db.query("update walls set anchored_at = now() - interval '95 s' where id = $1", [wallId]);
  expect(await set("is_paused = false")).toMatchObject({ anchor_tick: 9 });
  expect(await set("layout = 'mosaic'")).toMatchObject({ anchor_tick: 9 });
});

test("only managers give a wall a new address, and the old one ends", async () => {
  for (const caller of [viewer, world.callers.stranger])
    await expect(run(caller, "select remake_wall($1)", [wallId])).rejects.toMatchObject({ code: "PT404" });
  const [before] = await run(owner, "select wall_id from walls where id = $1", [wallId]);
  const [made] = await run(owner, "select remake_wall($1) as address", [wallId]);
  const [after] = await run(owner, "select wall_id, version from walls where id = $1", [wallId]);
  expect(after).toEqual({ wall_id: made?.address, version: 2 });
  expect(made?.address).not.toBe(before?.wall_id);
  expect(await seenBy(screen)).toEqual(NOTHING);
});
