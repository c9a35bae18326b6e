import { createHash, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type Who } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { memoryId, bobsMemoryId, bobsObjectId, objectId, plainObjectId, letterId, people, ada, callers } = world;
const { owner, contributor, letter: holder } = callers;

type Row = Record<string, unknown>;
const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Row>(text, values)).rows);
const ask = async (caller: Caller, ids: string[] = [objectId], id: string = randomUUID(), recipient = "Aunt May") => {
  const args = [id, memoryId, ids, recipient];
  const [row] = await run(caller, "select ask_about_photos($1, $2, $3, $4, 'Please') as key", args);
  return { id, key: String(row?.key) };
};
const holderOf = async (id: string): Promise<Caller> => {
  const { rows } = await db.query<{ version: number }>("select version from photo_letters where id = $1", [id]);
  return { role: "anon", letter: { id, version: rows[0]?.version ?? 0 } };
};
const contents = async (caller = holder) =>
  (await run(caller, "select letter_contents() as contents"))[0]?.contents as {
    memory: string;
    photos: { id: string; answers: Row }[];
  } | null;
const answer = (caller: Caller, who = "", taken = "", place = "", photo = objectId) =>
  run(caller, "select answer_photo($1, $2, $3, $4) as answers", [photo, who, taken, place]).then(
    ([row]) => row?.answers as Row,
  );
const answers = async () =>
  (
    await db.query<Row>("select about, answer, state from photo_answers where letter_id = $1 order by about", [
      letterId,
    ])
  ).rows;
const objects = (caller = holder) =>
  run(caller, "select id from storage.objects").then((rows) => rows.map(({ id }) => id));

await db.query(
  "insert into user_subscriptions (user_id, plan_id, expires_at) values ($1, 'skies-memories', now() + interval '1 year')",
  [world.bob],
);

beforeEach(async () => {
  await db.query("update memories set deleted_at = null, draft = false, user_id = $2 where id = $1", [memoryId, ada]);
  await db.query("update media set moderation = 'shown', state = 'ready', type = 'image', pages = null");
  await db.query("delete from photo_letters where id <> $1", [letterId]);
  await db.query("delete from photo_answers");
  await db.query("delete from memory_blocks where user_id = $1", [people.contributor]);
  await db.query("update auth.users set banned_until = null");
  await db.query("update memory_members set role = 'contributor' where user_id = $1", [people.contributor]);
  await db.query(
    `update photo_letters set asker_id = $2, withdrawn_at = null, expires_at = now() + interval '1 day', media_ids = array[$3::uuid] where id = $1`,
    [letterId, ada, objectId],
  );
  await db.query("update photo_letters set version = 1, changes = 0 where id = $1", [letterId]);
});

test("Spec §6: a letter opens its photos for viewing, the memory's name, and nothing else", async () => {
  expect(await contents()).toMatchObject({
    memory: "Someone",
    recipient: "Aunt May",
    photos: [{ id: objectId, answers: {} }],
  });
  expect(await objects()).toEqual([objectId]);
  expect(await run(holder, "select storage.access_to(o) as access from storage.objects o")).toEqual([
    { access: "view" },
  ]);
  for (const table of ["media", "memories", "media_details", "media_names", "comments", "stories", "who_questions"])
    expect([table, await run(holder, `select 1 from ${table}`).catch(() => [])]).toEqual([table, []]);
});

describe.each<[string, string, unknown[]]>([
  ["that was withdrawn", "update photo_letters set withdrawn_at = now() where id = $1", [letterId]],
  ["that has expired", "update photo_letters set expires_at = now() where id = $1", [letterId]],
  ["with another key", "select private.new_letter_key($1)", [letterId]],
  ["of a memory that became a draft", "update memories set draft = true where id = $1", [memoryId]],
  ["of a memory that was handed over", "update memories set user_id = $2 where id = $1", [memoryId, world.bob]],
  ["of a suspended asker", "update auth.users set banned_until = now() + interval '1 day' where id = $1", [ada]],
  ["of an asker without an account", "update photo_letters set asker_id = null where id = $1", [letterId]],
])("a letter %s", (_state, statement, values) => {
  test("shows no photo, takes no answer, and its page is told", async () => {
    const before = await run(holder, "select version, changes from photo_letters");
    await db.query(statement, values);
    expect(await contents()).toBeNull();
    expect(await objects()).toEqual([]);
    await expect(answer(holder, "Rosa")).rejects.toMatchObject({ code: "PT410" });
    expect(await answers()).toEqual([]);
    const after = await run(holder, "select version, changes from photo_letters");
    if (!statement.includes("expires_at")) expect(after).not.toEqual(before);
    else expect(after).toHaveLength(1);
  });
});

test("a letter ends with its memory, and its page is told", async () => {
  await run(owner, "delete from memories where id = $1", [memoryId]);
  expect(await contents()).toBeNull();
  expect(await objects()).toEqual([]);
  expect(await run(holder, "select version from photo_letters")).toEqual([{ version: 2 }]);
});

test.each<[string, string]>([
  ["was hidden", "moderation = 'hidden'"],
  ["awaits approval", "moderation = 'held'"],
  ["was deleted", "moderation = 'deleted'"],
  ["is a video now", "type = 'video'"],
  ["is not ready", "state = 'waiting'"],
])("a photo that %s is not in the letter", async (_state, assignment) => {
  await db.query(`update media set ${assignment} where id = $1`, [objectId]);
  expect(await contents()).toMatchObject({ photos: [] });
  expect(await objects()).toEqual([]);
  await expect(answer(holder, "Rosa")).rejects.toMatchObject({ code: "PT404" });
});

test("photos of another memory, and unknown ones, are never opened or answered about", async () => {
  await db.query("update photo_letters set media_ids = array[$2::uuid, $3::uuid] where id = $1", [
    letterId,
    bobsObjectId,
    objectId,
  ]);
  expect((await contents())?.photos.map(({ id }) => id)).toEqual([objectId]);
  expect(await objects()).toEqual([objectId]);
  for (const photo of [bobsObjectId, plainObjectId, randomUUID()])
    await expect(answer(holder, "Rosa", "", "", photo)).rejects.toMatchObject({ code: "PT404" });
  // Another letter's token opens the photos of that letter only.
  const other = await ask(contributor, [plainObjectId]);
  expect(await objects(await holderOf(other.id))).toEqual([plainObjectId]);
});

test("an answer is stored once, can be changed and taken back until it is accepted", async () => {
  await answer(holder, "Rosa", " about\n1962 ", "");
  await answer(holder, "Rosa", "about 1962", "");
  expect(await answers()).toEqual([
    { about: "when", answer: "about 1962", state: "new" },
    { about: "who", answer: "Rosa", state: "new" },
  ]);
  await run(owner, "update photo_answers set state = 'accepted' where about = 'who'");
  await run(owner, "update photo_answers set state = 'kept' where about = 'when'");
  // Both at once: the accepted one stays, the other one waits for a decision again.
  expect(await answer(holder, "Ugo", "1963", "")).toEqual({
    who: { text: "Rosa", accepted: true },
    when: { text: "1963", accepted: false },
  });
  expect(await answers()).toEqual([
    { about: "when", answer: "1963", state: "new" },
    { about: "who", answer: "Rosa", state: "accepted" },
  ]);
  await answer(holder);
  expect(await answers()).toEqual([{ about: "who", answer: "Rosa", state: "accepted" }]);
});

test("two people who contradict each other are both kept", async () => {
  const other = await ask(owner);
  await answer(holder, "Rosa");
  await answer(await holderOf(other.id), "Ugo");
  expect(await run(owner, "select answer from photo_answers order by answer")).toEqual([
    { answer: "Rosa" },
    { answer: "Ugo" },
  ]);
  for (const who of ["contributor", "viewer", "stranger"] as const)
    expect(await run(callers[who], "select answer from photo_answers")).toEqual([]);
  await db.query("update media set moderation = 'deleted' where id = $1", [objectId]);
  expect(await run(owner, "select answer from photo_answers")).toEqual([]);
});

test.each(["x".repeat(501), "x".repeat(3000), "é".repeat(501)])(
  "an answer that is too long is refused",
  async (text) => {
    for (const place of [0, 1, 2]) {
      const texts = ["", "", ""].with(place, text);
      await expect(answer(holder, ...texts)).rejects.toMatchObject({ code: "PT400", hint: "answer_too_long" });
    }
    expect(await answers()).toEqual([]);
  },
);

test.each<Who>(["owner", "co-owner", "contributor"])(
  "the %s asks, with a key that is stored only as a hash",
  async (who) => {
    const { id, key } = await ask(callers[who]);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const { rows } = await db.query<{ key_hash: string }>(
      "select hash as key_hash from private.letter_keys where letter_id = $1",
      [id],
    );
    expect(rows[0]?.key_hash).toBe(createHash("sha256").update(key).digest("hex"));
    for (const caller of [callers[who], callers.service, await holderOf(id)])
      await expect(run(caller, "select hash from private.letter_keys")).rejects.toMatchObject({ code: "42501" });
    expect(await contents(await holderOf(id))).toMatchObject({ note: "Please" });
  },
);

test.each<Who>(["stranger", "viewer", "administrator", "aal1-admin"])("the %s cannot ask", async (who) => {
  await expect(ask(callers[who])).rejects.toMatchObject({ code: "PT404" });
});

test("visitors, guests and holders of letters cannot ask", async () => {
  for (const who of ["nobody", "visitor", "guest", "wall", "letter"] as const)
    await expect(ask(callers[who])).rejects.toMatchObject({ code: "42501" });
});

test("only one to ten shown photos of the memory can be asked about", async () => {
  const { rows } = await db.query<{ id: string }>(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     select 'media', $1 || '/' || gen_random_uuid() || '.jpg', $2::uuid, $2::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}'
     from generate_series(1, 11) returning id`,
    [memoryId, ada],
  );
  const eleven = rows.map(({ id }) => id);
  await db.query("update media set state = 'ready' where id = any ($1)", [eleven]);
  for (const ids of [[], eleven, [objectId, objectId], [bobsObjectId], [objectId, bobsObjectId], [randomUUID()]])
    await expect(ask(owner, ids)).rejects.toMatchObject({ code: "PT400", hint: "letter_photos" });
  await ask(owner, eleven.slice(0, 10));
  await db.query("update media set moderation = 'hidden' where id = $1", [objectId]);
  await expect(ask(owner)).rejects.toMatchObject({ code: "PT400" });
  await expect(ask(owner, [plainObjectId], randomUUID(), "\u202e ")).rejects.toMatchObject({ code: "23514" });
});

test("asking again with the same id makes no second letter, and the first key ends", async () => {
  const first = await ask(owner);
  const again = await ask(owner, [objectId], first.id);
  expect(again.key).not.toBe(first.key);
  const { rows } = await db.query("select 1 from photo_letters where id = $1", [first.id]);
  expect(rows).toHaveLength(1);
  // Somebody else's id is taken.
  await expect(ask(contributor, [objectId], first.id)).rejects.toMatchObject({ code: "23505" });
});

test("a member asks 30 times a day", async () => {
  for (let n = 0; n < 30; n++) await ask(contributor);
  await expect(ask(contributor)).rejects.toMatchObject({ code: "PT429", hint: "too_many_letters" });
  await ask(owner);
});

test("before a reveal a contributor asks about their own photos only", async () => {
  await db.query("update reveals set revealed = false, reveal_at = null where memory_id = $1", [memoryId]);
  await expect(ask(contributor)).rejects.toMatchObject({ code: "PT400" });
  await ask(owner);
  await db.query("update reveals set revealed = true where memory_id = $1", [memoryId]);
});

test.each<[string, string]>([
  ["lost the right to add", "update memory_members set role = 'viewer' where user_id = $1"],
  ["left the memory", "delete from memory_members where user_id = $1"],
  [
    "was blocked",
    "insert into memory_blocks (memory_id, user_id) select memory_id, user_id from memory_members where user_id = $1",
  ],
])("a letter ends when its contributor %s, and its page is told", async (_what, statement) => {
  const { id } = await ask(contributor);
  const may = await holderOf(id);
  expect(await objects(may)).toEqual([objectId]);
  await db.query(statement, [people.contributor]);
  expect(await contents(may)).toBeNull();
  expect(await objects(may)).toEqual([]);
  expect(await run(may, "select changes from photo_letters")).toEqual([{ changes: 1 }]);
  await db.query("delete from memory_blocks where user_id = $1", [people.contributor]);
  await db.query(
    "insert into memory_members (memory_id, user_id, role) values ($1, $2, 'contributor') on conflict do nothing",
    [memoryId, people.contributor],
  );
});

test("who asked and managers withdraw and renew a letter; others do not find it", async () => {
  const { id, key } = await ask(contributor);
  for (const who of ["viewer", "stranger", "administrator"] as const) {
    expect(await run(callers[who], "select id from photo_letters")).toEqual([]);
    await run(callers[who], "update photo_letters set withdrawn_at = now() where id = $1", [id]);
    await expect(run(callers[who], "select renew_letter($1)", [id])).rejects.toMatchObject({ code: "PT404" });
  }
  // A contributor does not see the letters of others.
  expect(await run(contributor, "select id from photo_letters")).toEqual([{ id }]);
  await expect(run(contributor, "select renew_letter($1)", [letterId])).rejects.toMatchObject({ code: "PT404" });
  for (const caller of [contributor, owner]) {
    await run(caller, "update photo_letters set withdrawn_at = 'now' where id = $1", [id]);
    expect(await contents(await holderOf(id))).toBeNull();
    const [renewed] = await run(caller, "select renew_letter($1) as key", [id]);
    expect(renewed?.key).not.toBe(key);
    expect(await contents(await holderOf(id))).not.toBeNull();
  }
  // A manager who renews the letter of somebody who may not ask any more asks in their own name.
  await db.query("delete from memory_members where user_id = $1", [people.contributor]);
  expect(await contents(await holderOf(id))).toBeNull();
  await run(owner, "select renew_letter($1)", [id]);
  expect(await contents(await holderOf(id))).not.toBeNull();
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'contributor')", [
    memoryId,
    people.contributor,
  ]);
});

test("a photo that moves takes its answers out of the list, and deleting it for good deletes them", async () => {
  await answer(holder, "Rosa");
  await db.query("update media set memory_id = $2 where id = $1", [objectId, bobsMemoryId]);
  expect(await contents()).toMatchObject({ photos: [] });
  for (const caller of [owner, callers.stranger]) expect(await run(caller, "select 1 from photo_answers")).toEqual([]);
  await db.query("update media set memory_id = $2 where id = $1", [objectId, memoryId]);
  expect(await run(owner, "select answer from photo_answers")).toEqual([{ answer: "Rosa" }]);
});
