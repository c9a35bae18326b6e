import { beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller, SERVICE } from "../../server/database/as-caller.ts";
import { emptyDatabase, testDatabase } from "../support/database.ts";
import { sampled } from "../support/long-tests.ts";
import { runUndone } from "../support/undone.ts";
import { makeWorld, WHO, type Who, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from storage.buckets where id = 'spare'; delete from orders; delete from voucher_uses");
  await db.exec("delete from vouchers");
  world = await makeWorld(db);
});

type Kind = "media" | "story" | "comment" | "album" | "memory";

const ask = <T = Record<string, unknown>>(caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<T & Record<string, unknown>>(text, values)).rows);
const value = async <T>(caller: Caller, text: string, values: unknown[] = []) =>
  (await ask<{ value: T }>(caller, `select ${text} as value`, values))[0]?.value as T;
const add = async (caller: Caller, text: string, values: unknown[] = []) =>
  (await ask<{ id: string }>(caller, `${text} returning id`, values))[0]?.id ?? "";

const DELETE: Record<Kind, string> = {
  media: "delete from storage.objects where id = $1",
  story: "delete from stories where id = $1",
  comment: "select withdraw_comment($1)",
  album: "delete from albums where id = $1",
  memory: "delete from memories where id = $1",
};
const remove = (who: Caller, kind: Kind, id: string) => ask(who, DELETE[kind], [id]);
const restore = (who: Caller, kind: Kind, ...ids: string[]) =>
  value<unknown[]>(who, "restore_deleted($1)", [JSON.stringify(ids.map((id) => ({ kind, id })))]);

const idOf = (kind: Kind) =>
  ({
    media: world.objectId,
    story: world.storyId,
    comment: world.commentId,
    album: world.albumId,
    memory: world.memoryId,
  })[kind];

/** Everything about Ada's memory and albums that tables and functions give a caller, except for those of the trash. */
async function visibleTo(who: Who): Promise<Record<string, unknown>> {
  const queries = sources().map(
    ([, rows]) => `select coalesce(jsonb_agg(row order by row::text), '[]') from (${rows}) r`,
  );
  const answers = await runUndone(db, world.callers[who], queries);
  const rowsAt = (at: number) => (answers[at]?.refused ? [] : JSON.parse(answers[at]?.answer ?? "[]"));
  return Object.fromEntries(sources().map(([name], at) => [name, rowsAt(at)]));
}

const sources = () => [
  ...TABLES.split(" ").map((table) => [
    table,
    `select to_jsonb(t) - 'updated_at' - 'version' - 'last_accessed_at' as row from ${table} t`,
  ]),
  ...[
    "recent_activity()",
    "storage_stats()",
    "waiting_counts()",
    "my_invitations()",
    `memory_rights('${world.memoryId}')`,
    `moderation_queue('${world.memoryId}', 'held')`,
    `moderation_queue('${world.memoryId}', 'hidden')`,
    `memory_people('${world.memoryId}')`,
  ].map((call) => [call.replace(world.memoryId, "of the memory"), `select to_jsonb(f) as row from ${call} f`]),
];

const TABLES =
  "memories media media_details stories comments reactions albums " +
  "media_credits story_credits comment_credits reaction_credits notices share_links memory_entries storage.objects";

/**
 * Returns the same as text. Excludes notices, which are not restored, and link versions, which change so that visitors
 * have to open a link again.
 */
const asText = ({ notices, ...all }: Record<string, unknown>) => JSON.stringify(all).replace(/"version":\d+/g, "");

describe.each(sampled<Kind>(["media", "story", "comment", "album", "memory"], 2))("a deleted %s", (kind) => {
  test("is in no list or count, and is restored unchanged only by the person who deleted it", async () => {
    const id = idOf(kind);
    const before = new Map<Who, string>();
    for (const who of WHO) if (who !== "service") before.set(who, asText(await visibleTo(who)));
    expect(before.get("owner")).toContain(id);
    await remove(world.callers.owner, kind, id);
    for (const who of before.keys()) {
      // Only the storage that it uses stays visible.
      expect([who, JSON.stringify(await visibleTo(who)).includes(id)]).toEqual([who, false]);
    }
    for (const who of WHO) if (who !== "owner") expect(await restore(world.callers[who], kind, id)).toEqual([]);
    expect(await restore(world.callers.owner, kind, id)).toMatchObject([{ kind, id }]);
    for (const [who, was] of before) {
      // Visitors and walls have to open the link again, as after any change of what it opens.
      if (kind === "memory" && (world.callers[who].share || world.callers[who].wall)) continue;
      expect([who, asText(await visibleTo(who))]).toEqual([who, was]);
    }
  });

  test("cannot be changed, and only the person who deleted it can delete it for good", async () => {
    const id = idOf(kind);
    const { owner, stranger } = world.callers;
    const coOwner = world.callers["co-owner"];
    await remove(owner, kind, id);
    const items = JSON.stringify([{ kind, id }]);
    for (const who of [coOwner, stranger]) {
      expect(await value(who, "delete_forever($1)", [items])).toBe(0);
      expect(await value(who, "empty_trash()")).toBe(0);
      expect(await value(who, "empty_trash(true)")).toBe(0);
    }
    await ask(owner, "select moderate($1, 'shown')", [items]);
    expect(await ask(owner, "select from deleted_items() where id = $1", [id])).toHaveLength(1);
    expect(await value(owner, "delete_forever($1)", [items])).toBe(1);
    const table = {
      media: "storage.objects",
      story: "stories",
      comment: "comments",
      album: "albums",
      memory: "memories",
    }[kind];
    expect((await db.query(`select from ${table} where id = $1`, [id])).rows).toEqual([]);
    expect(await restore(owner, kind, id)).toEqual([]);
  });

  test("is removed after 30 days and not before", async () => {
    const id = idOf(kind);
    await db.query("delete from trash");
    await remove(world.callers.owner, kind, id);
    const age = (time: string) => db.query("update trash set deleted_at = now() - $1::interval", [time]);
    await age("29 days 23 hours");
    expect((await db.query("select private.purge_trash(10) as many")).rows).toEqual([{ many: 0 }]);
    await age("30 days 1 second");
    expect((await db.query("select private.purge_trash(10) as many")).rows).toEqual([{ many: 1 }]);
    expect((await db.query("select from trash")).rows).toEqual([]);
    if (kind === "album")
      expect((await db.query("select from memories where id = $1", [world.memoryId])).rows).toHaveLength(1);
  });
});

test("rows enter and leave the trash only by its functions, even for the service", async () => {
  const { owner } = world.callers;
  const refused = { code: "42501" };
  for (const table of ["stories", "comments"]) {
    const id = table === "stories" ? world.storyId : world.commentId;
    await expect(ask(owner, `update ${table} set moderation = 'deleted' where id = $1`, [id])).rejects.toMatchObject(
      refused,
    );
  }
  await expect(ask(owner, "update memories set deleted_at = now()")).rejects.toMatchObject(refused);
  await remove(owner, "story", world.storyId);
  await ask(owner, "update stories set moderation = 'shown' where id = $1", [world.storyId]);
  await ask(SERVICE, "update stories set moderation = 'shown' where memory_id = $1", [world.memoryId]);
  expect(await ask(owner, "select from stories where id = $1", [world.storyId])).toEqual([]);
});

test("a contributor can restore a story that they deleted while they may add, and the owner cannot", async () => {
  const { contributor } = world.callers;
  const id = await add(contributor, "insert into stories (memory_id, body) values ($1, '<p>Then.</p>')", [
    world.memoryId,
  ]);
  await remove(contributor, "story", id);
  expect(await restore(world.callers.owner, "story", id)).toEqual([]);
  const role = (name: string) =>
    db.query("update memory_members set role = $2 where user_id = $1", [contributor.sub, name]);
  await role("viewer");
  expect(await ask(contributor, "select from deleted_items()")).toEqual([]);
  expect(await restore(contributor, "story", id)).toEqual([]);
  await role("contributor");
  expect(await ask(contributor, "select name from deleted_items()")).toEqual([{ name: "Then." }]);
  expect(await restore(contributor, "story", id)).toHaveLength(1);
});

test("a removed co-owner cannot permanently delete what they put into the trash", async () => {
  const [helper, { owner }] = [world.callers["co-owner"], world.callers];
  await remove(helper, "story", world.storyId);
  await db.query("delete from memory_members where user_id = $1", [helper.sub]);
  expect(await value(helper, "delete_forever($1)", [JSON.stringify([{ kind: "story", id: world.storyId }])])).toBe(0);
  expect(await value(helper, "empty_trash()")).toBe(0);
  expect((await db.query("select from stories where id = $1", [world.storyId])).rows).toHaveLength(1);
  expect(await ask(owner, "select from stories where id = $1", [world.storyId])).toEqual([]);
});

test("a guest can restore their own deletions and no others", async () => {
  const { guest, visitor } = world.callers;
  const id = await add(guest, "insert into stories (memory_id, body) values ($1, '<p>Hello.</p>')", [world.memoryId]);
  await remove(guest, "story", id);
  expect(await ask(guest, "select from stories where id = $1", [id])).toEqual([]);
  expect(await restore(visitor, "story", id)).toEqual([]);
  expect(await restore(guest, "story", id)).toHaveLength(1);
  expect(await ask(visitor, "select from stories where id = $1", [id])).toHaveLength(1);
});

test("a timeline entry and an album lose a deleted photo, can be changed meanwhile, and get it back", async () => {
  const { owner } = world.callers;
  await ask(owner, "update memory_entries set media_id = $1 where id = $2", [world.objectId, world.entryId]);
  await ask(owner, "update albums set cover_media_id = $1 where id = $2", [world.objectId, world.albumId]);
  const covers = () =>
    ask(
      owner,
      "select media_id as photo from memory_entries where id = $1 union all select cover_media_id from albums where id = $2",
      [world.entryId, world.albumId],
    );
  await remove(owner, "media", world.objectId);
  expect(await covers()).toEqual([{ photo: null }, { photo: null }]);
  await ask(owner, "update memory_entries set title = 'The lake' where id = $1", [world.entryId]);
  await restore(owner, "media", world.objectId);
  expect(await covers()).toEqual([{ photo: world.objectId }, { photo: world.objectId }]);
});

test("the comments and reactions of a deleted photo are hidden, and are restored with their moderation", async () => {
  const { owner, contributor } = world.callers;
  const say = "insert into comments (memory_id, media_id, body) values ($1, $2, $3)";
  const [shownId, heldId] = [
    await add(owner, say, [world.memoryId, world.objectId, "Look"]),
    await add(contributor, say, [world.memoryId, world.objectId, "Wait"]),
  ];
  const heart = await add(owner, "insert into reactions (memory_id, comment_id, kind) values ($1, $2, 'heart')", [
    world.memoryId,
    shownId,
  ]);
  await ask(owner, "update comments set moderation = 'held' where id = $1", [heldId]);
  const counts = () => ask(owner, "select count from waiting_counts()");
  expect(await counts()).toEqual([{ count: 1 }]);
  await ask(owner, "select set_cover($1)", [world.objectId]);
  await remove(owner, "media", world.objectId);
  expect(await counts()).toEqual([]);
  const seen = () =>
    ask(owner, "select id from comments where media_id = $1 union all select id from reactions where id = $2", [
      world.objectId,
      heart,
    ]);
  expect(await seen()).toEqual([]);
  await restore(owner, "media", world.objectId);
  expect(await counts()).toEqual([{ count: 1 }]);
  expect(await seen()).toHaveLength(3);
  expect(await ask(owner, "select is_cover from media where id = $1", [world.objectId])).toEqual([{ is_cover: true }]);
});

describe("a comment with answers", () => {
  const bodyOf = async (id: string) =>
    (
      await ask<{ body: string }>(
        world.callers.viewer,
        "select coalesce(words, body) as body from comments left join comment_credits on comment_id = id where id = $1",
        [id],
      )
    )[0]?.body;
  let answer: string;
  beforeEach(async () => {
    answer = await add(
      world.callers.contributor,
      "insert into comments (memory_id, parent_id, body) values ($1, $2, 'I do')",
      [world.memoryId, world.commentId],
    );
  });

  test("keeps its position without its text, and gets the text back", async () => {
    const { owner } = world.callers;
    await remove(owner, "comment", world.commentId);
    expect([await bodyOf(world.commentId), await bodyOf(answer)]).toEqual(["", "I do"]);
    expect((await db.query("select from comment_credits where comment_id = $1", [world.commentId])).rows).toEqual([]);
    await restore(owner, "comment", world.commentId);
    expect(await bodyOf(world.commentId)).toBe("Remember the sea");
    expect((await db.query("select name from comment_credits where comment_id = $1", [world.commentId])).rows).toEqual([
      { name: "Ada" },
    ]);
  });

  test("disappears with its last answer, and both can be restored in either order", async () => {
    const { owner, contributor } = world.callers;
    await remove(owner, "comment", world.commentId);
    await remove(contributor, "comment", answer);
    expect([await bodyOf(world.commentId), await bodyOf(answer)]).toEqual([undefined, undefined]);
    await restore(contributor, "comment", answer);
    expect([await bodyOf(world.commentId), await bodyOf(answer)]).toEqual(["", "I do"]);
    await remove(contributor, "comment", answer);
    await restore(owner, "comment", world.commentId);
    expect([await bodyOf(world.commentId), await bodyOf(answer)]).toEqual(["Remember the sea", undefined]);
    await remove(owner, "comment", world.commentId);
    await restore(contributor, "comment", answer);
    expect([await bodyOf(world.commentId), await bodyOf(answer)]).toEqual(["", "I do"]);
    await restore(owner, "comment", world.commentId);
    expect(await bodyOf(world.commentId)).toBe("Remember the sea");
  });

  test("stays empty for its answers, even those in the trash, when it is permanently deleted", async () => {
    const { owner, contributor } = world.callers;
    await remove(contributor, "comment", answer);
    await remove(owner, "comment", world.commentId);
    await ask(owner, "select empty_trash()");
    await restore(contributor, "comment", answer);
    expect([await bodyOf(world.commentId), await bodyOf(answer)]).toEqual(["", "I do"]);
    await remove(contributor, "comment", answer);
    await ask(contributor, "select empty_trash()");
    expect((await db.query("select from comments")).rows).toEqual([]);
  });
});

test("a deleted album keeps its memories, and their positions are restored with it", async () => {
  const { owner } = world.callers;
  await ask(owner, "select put_in_album($1, $2)", [world.albumId, [world.draftId, world.memoryId]]);
  const filed = () =>
    ask(owner, "select id from memories where album_id = $1 order by album_position", [world.albumId]);
  const before = await filed();
  expect(before).toHaveLength(2);
  await remove(owner, "album", world.albumId);
  expect(await ask(owner, "select from memories where album_id is null")).toHaveLength(2);
  await restore(owner, "album", world.albumId);
  expect(await filed()).toEqual(before);
});

test("a deleted memory does not count towards the plan, and is restored only within the plan's limit", async () => {
  const { stranger } = world.callers;
  const begin = "insert into memories (person_name) values ('Next')";
  await expect(ask(stranger, begin)).rejects.toMatchObject({ code: "PT402", hint: "memory_limit" });
  await remove(stranger, "memory", world.bobsMemoryId);
  const next = await add(stranger, begin);
  await expect(restore(stranger, "memory", world.bobsMemoryId)).rejects.toMatchObject({
    code: "PT402",
    hint: "memory_limit",
  });
  await remove(stranger, "memory", next);
  expect(await restore(stranger, "memory", world.bobsMemoryId)).toHaveLength(1);
});

test("a deleted memory cannot be handed over, and its invitations return when it is restored", async () => {
  await remove(world.callers.owner, "memory", world.memoryId);
  await expect(ask(world.callers["co-owner"], "select accept_handover($1)", [world.memoryId])).rejects.toThrow(
    "not offered",
  );
  const invitee: Caller = { role: "authenticated", sub: world.bob };
  await db.query("update invitations set email = $1", [`${world.bob}@example.com`]);
  expect(await ask(invitee, "select from my_invitations()")).toEqual([]);
  await expect(ask(invitee, "select answer_invitation($1, true)", [world.invitationId])).rejects.toThrow(
    "no such invitation",
  );
  await restore(world.callers.owner, "memory", world.memoryId);
  expect(await ask(invitee, "select from my_invitations()")).toHaveLength(1);
});

test("the trash counts towards the owner's storage, and the owner can empty it", async () => {
  const { owner, contributor } = world.callers;
  const stats = () => value<Record<string, unknown>>(owner, "storage_stats()");
  const before = await stats();
  const name = `${world.memoryId}/${crypto.randomUUID()}.jpg`;
  const id = await add(
    contributor,
    `insert into storage.objects (bucket_id, name, owner, version, metadata)
    values ('media', $1, $2, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 7}')`,
    [name, contributor.sub],
  );
  await remove(contributor, "media", id);
  await remove(owner, "media", world.objectId);
  const now = await stats();
  expect(now).toMatchObject({
    imageCount: Number(before.imageCount) - 1,
    trash: { bytes: 8, bytesOfOthers: 7, itemsOfOthers: 1 },
  });
  expect(now.totalSize).toBe((before.totalSize as number) + 7);
  expect(await value(owner, "empty_trash(true)")).toBe(1);
  expect(await restore(contributor, "media", id)).toEqual([]);
  expect(await stats()).toMatchObject({ totalSize: before.totalSize, trash: { bytes: 1, bytesOfOthers: 0 } });
  await ask(owner, "select empty_trash()");
  expect((await stats()).totalSize).toBe((before.totalSize as number) - 1);
});

test("what a deleted account had added and deleted is removed at once", async () => {
  const coOwner = world.callers["co-owner"];
  const story = await add(coOwner, "insert into stories (memory_id, body) values ($1, '<p>Mine.</p>')", [
    world.memoryId,
  ]);
  await remove(coOwner, "story", story);
  await db.query("delete from auth.users where id = $1", [coOwner.sub]);
  expect((await db.query("select from stories where id = $1", [story])).rows).toEqual([]);
  await remove(world.callers.owner, "memory", world.memoryId);
  await db.query("delete from auth.users where id = $1", [world.ada]);
  expect((await db.query("select from trash")).rows).toEqual([]);
  expect((await db.query("select from memories where user_id = $1", [world.ada])).rows).toEqual([]);
});

test("the details of a photo are marked exactly while it is in the trash, and a person cannot change that", async () => {
  const { owner } = world.callers;
  const marks = async () =>
    (
      await db.query<{ marked: boolean }>(
        `select d.in_trash as marked from media_details d join media m on m.id = d.media_id
         where d.in_trash is distinct from (m.moderation = 'deleted') or d.media_id = $1`,
        [world.objectId],
      )
    ).rows.map(({ marked }) => marked);
  expect(await marks()).toEqual([false]);
  await remove(owner, "media", world.objectId);
  expect(await marks()).toEqual([true]);
  await expect(ask(owner, "update media_details set in_trash = false")).rejects.toThrow("permission denied");
  await restore(owner, "media", world.objectId);
  expect(await marks()).toEqual([false]);
});
