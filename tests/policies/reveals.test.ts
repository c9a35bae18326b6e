import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller, SERVICE } from "../../server/database/as-caller.ts";
import { allAnswers, answersWith, samplesOf } from "../support/all-answers.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { memoryId, callers, people } = world;

/** A second guest, whose contributions the others must not learn of. */
let otherGuest: Caller;
const READERS = ["visitor", "guest", "viewer", "contributor"] as const;

const run = <Result = Record<string, unknown>>(caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Result>(text, values)).rows);
const cover = (changes = "revealed = false, reveal_at = null") =>
  db.query(`update reveals set ${changes} where memory_id = $1`, [memoryId]);

/** Adds one of everything as a person or a guest; resolves to the ids. All texts contain "Zinnia". */
async function contribute(caller: Caller, { others = false } = {}) {
  const add = async (row: string, values: unknown[], by = caller) =>
    (await run<{ id: string }>(by, `insert into ${row} returning id`, values))[0]?.id ?? "";
  const photo = randomUUID();
  // Guests cannot read the row in the statement that adds it.
  await run(
    caller,
    `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
     values ($3, 'media', $1, $2::uuid, $2::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 7}', '{"filename": "Zinnia.jpg"}')`,
    [`${memoryId}/${photo}.jpg`, caller.sub ?? null, photo],
  );
  await db.query(`update media set state = 'ready', caption = 'Zinnia', is_cover = $2 where id = $1`, [photo, others]);
  const person = await add("pictured_people (memory_id, name) values ($1, 'Zinnia')", [memoryId], SERVICE);
  await db.query("insert into media_names (media_id, person_id, memory_id) values ($1, $2, $3)", [
    photo,
    person,
    memoryId,
  ]);
  await db.query("insert into who_questions (media_id, memory_id) values ($1, $2)", [photo, memoryId]);
  await db.query("insert into media_name_suggestions (media_id, memory_id, name) values ($1, $2, 'Zinnia')", [
    photo,
    memoryId,
  ]);
  const comment = await add("comments (memory_id, body) values ($1, 'Zinnia')", [memoryId]);
  const candle = await add("reactions (memory_id, comment_id, kind) values ($1, $2, 'flower')", [memoryId, comment]);
  const heart = await add("reactions (memory_id, media_id, kind) values ($1, $2, 'heart')", [memoryId, photo]);
  const story = await add("stories (memory_id, title, body) values ($1, 'Zinnia', '<p>Zinnia</p>')", [memoryId]);
  return { photo, person, comment, candle, heart, story };
}

async function answersOf(ids: readonly string[], readers: readonly (typeof READERS)[number][] = READERS) {
  const samples = samplesOf([memoryId, ...ids], ids[0] ?? "");
  const answers = new Map<string, Map<string, string>>();
  for (const who of readers)
    answers.set(who, await allAnswers(db, callers[who], { ...samples, text: ["Zinnia", "media"] }));
  return answers;
}

beforeAll(async () => {
  const { rows } = await db.query<{ id: string }>(
    "insert into guests (link_id, name) select link_id, 'Oscar' from guests where id = $1 returning id",
    [world.guestId],
  );
  const share = callers.guest.share as object;
  otherGuest = { role: "anon", share: { ...share, guest: rows[0]?.id } };
});

beforeEach(async () => {
  await db.query("delete from notices where kind in ('added', 'comment', 'story', 'answer', 'revealed')");
});

describe("before the reveal", () => {
  test("nothing that guests and members can read or count changes by what others contribute", async () => {
    await cover();
    const ids = [randomUUID()];
    const before = await answersOf(ids);
    const added = await contribute(otherGuest, { others: true });
    // A host answers and loves what waits; the answer tells of it and waits as well.
    await run(callers.owner, "insert into comments (memory_id, body, parent_id) values ($1, 'Thank you', $2)", [
      memoryId,
      added.comment,
    ]);
    await run(callers.owner, "insert into reactions (memory_id, comment_id, kind) values ($1, $2, 'heart')", [
      memoryId,
      added.comment,
    ]);
    await db.query("update media set moderation = 'hidden' where id = $1", [added.photo]);
    await db.query("update media set moderation = 'shown' where id = $1", [added.photo]);
    const after = await answersOf(ids);
    for (const who of READERS) {
      const changed = [...(after.get(who) ?? [])].filter(([name, answer]) => answer !== before.get(who)?.get(name));
      expect(changed, who).toEqual([]);
    }
    // The same with the ids, for which nothing can be asked either.
    const named = await answersOf(Object.values(added), ["guest", "contributor"]);
    const texts = [...Object.values(added), "Zinnia"];
    for (const who of named.keys()) {
      const echoes = ["set_media_dates()", "restore_media_dates()"];
      expect(
        answersWith(named.get(who) ?? new Map(), texts).filter((name) => !echoes.includes(name)),
        who,
      ).toEqual([]);
    }
    // Managers read all, and everybody does after the reveal.
    const seen =
      "select id from media where id = $1 union select id from comments where id = $2 union select id from stories where id = $3";
    const values = [added.photo, added.comment, added.story];
    for (const who of ["owner", "co-owner"] as const) expect(await run(callers[who], seen, values)).toHaveLength(3);
    await cover("reveal_at = now() - interval '1 second'");
    for (const who of READERS) expect(await run(callers[who], seen, values), who).toHaveLength(3);
  });

  test("everybody sees their own, and what managers added", async () => {
    await cover("revealed = false, reveal_at = now() + interval '1 hour'");
    const own = { guest: await contribute(callers.guest), contributor: await contribute(callers.contributor) };
    const hosts = await contribute(callers["co-owner"]);
    for (const who of ["guest", "contributor"] as const) {
      for (const [kind, table] of [
        ["photo", "media"],
        ["comment", "comments"],
        ["candle", "reactions"],
        ["heart", "reactions"],
        ["story", "stories"],
        ["person", "pictured_people"],
      ] as const) {
        const visible = async (ids: Record<typeof kind, string>) =>
          (await run(callers[who], `select id from ${table} where id = $1`, [ids[kind]])).length;
        expect(await visible(own[who]), `own ${kind} of ${who}`).toBe(1);
        expect(await visible(hosts), `${kind} of a host for ${who}`).toBe(1);
        expect(await visible(own[who === "guest" ? "contributor" : "guest"]), `${kind} of another for ${who}`).toBe(0);
      }
      expect(await run(callers[who], "select from storage.objects where id = $1", [own[who].photo])).toHaveLength(1);
    }
    // A contributor cannot change what they cannot see either, not even without naming it.
    expect(
      await run(callers.contributor, "update media_names set x = 0.5, y = 0.5 returning media_id"),
    ).not.toContainEqual({ media_id: own.guest.photo });
    const { rows } = await db.query("select x from media_names where media_id = $1", [own.guest.photo]);
    expect(rows).toEqual([{ x: null }]);
  });
});

describe("notices", () => {
  const kinds = async (person: string) =>
    (
      await db.query<{ kind: string }>("select kind from notices where user_id = $1 and memory_id = $2 order by kind", [
        person,
        memoryId,
      ])
    ).rows.map(({ kind }) => kind);
  const announce = (at = "now()") => db.query(`select private.announce_reveals(${at})`);

  test("before the reveal only managers are notified, and each member once after it", async () => {
    await cover();
    await contribute(otherGuest);
    expect(await kinds(people.viewer)).toEqual([]);
    expect(await kinds(people["co-owner"])).toEqual(expect.arrayContaining(["added", "comment", "story"]));
    await announce();
    expect(await kinds(people.viewer)).toEqual([]);
    await run(callers.owner, "update reveals set revealed = true where memory_id = $1", [memoryId]);
    // For a moment a press can be undone.
    await announce();
    expect(await kinds(people.viewer)).toEqual([]);
    await announce("now() + interval '30 seconds'");
    await announce("now() + interval '60 seconds'");
    expect(await kinds(people.viewer)).toEqual(["revealed"]);
    expect(await kinds(people["co-owner"])).not.toContain("revealed");
    await contribute(otherGuest);
    expect(await kinds(people.viewer)).toContain("added");
  });

  test("a press that is undone in time notifies nobody, and hides everything again", async () => {
    await cover();
    const { photo } = await contribute(callers.contributor);
    await run(callers.owner, "update reveals set revealed = true where memory_id = $1", [memoryId]);
    await run(callers.owner, "update reveals set revealed = false where memory_id = $1", [memoryId]);
    await announce("now() + interval '1 minute'");
    expect(await kinds(people.viewer)).toEqual([]);
    expect(await run(callers.viewer, "select from media where id::text = $1", [photo])).toEqual([]);
  });

  test("a notice of uploads from before is hidden while they are", async () => {
    await cover("revealed = true");
    await contribute(otherGuest);
    const seen = () =>
      run(callers.viewer, "select kind from notices where kind in ('added', 'comment', 'story') order by 1");
    expect(await seen()).toEqual([{ kind: "added" }, { kind: "comment" }, { kind: "story" }]);
    await cover();
    expect(await seen()).toEqual([]);
  });
});

test.each([
  ["the owner", "owner", true],
  ["a co-owner", "co-owner", true],
  ["a contributor", "contributor", false],
  ["a guest", "guest", false],
] as const)("%s changes the reveal: %s, %s", async (_, who, allowed) => {
  await cover();
  const changed = await run(
    callers[who],
    "update reveals set revealed = true where memory_id = $1 returning revealed_at",
    [memoryId],
  ).catch(() => []);
  expect(changed).toHaveLength(allowed ? 1 : 0);
});

test("a time in a zone that does not exist is refused", async () => {
  await expect(run(callers.owner, "update reveals set time_zone = 'Europe/Atlantis'")).rejects.toThrow(/zone/);
});
