import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";

import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type Who } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { memoryId, bobsMemoryId, callers, slideshowId, objectId } = world;
const { owner } = callers;

const run = <Result = Record<string, unknown>>(caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Result>(text, values)).rows);

/** Adds a photo or another file to a memory, ready to be shown; resolves to its id. */
async function upload(type = "image/jpeg", memory = memoryId, caller = owner) {
  const id = randomUUID();
  await run(
    caller,
    `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata)
     values ($1::uuid, 'media', $2, $3::uuid, $3::uuid::text, gen_random_uuid()::text, jsonb_build_object('mimetype', $4::text, 'size', 7))`,
    [id, `${memory}/${id}.bin`, caller.sub ?? null, type],
  );
  await db.query("update media set state = 'ready' where id = $1", [id]);
  return id;
}

interface Stored {
  revision: number;
  changes: number;
}
const stored = async () =>
  (await db.query<Stored>("select revision, changes from slideshows where id = $1", [slideshowId])).rows[0] ?? {
    revision: 0,
    changes: 0,
  };
const arrange = async (pictures: string[], caller = owner, revision?: number) =>
  run(caller, "select arrange_slideshow($1, $2, $3)", [slideshowId, pictures, revision ?? (await stored()).revision]);
const seenBy = async (who: Who) =>
  (
    await run<{ media_id: string }>(
      callers[who],
      "select media_id from slideshow_items where slideshow_id = $1 order by position",
      [slideshowId],
    )
  ).map(({ media_id }) => media_id);
const filmState = async () =>
  (
    await db.query<{ state: string; object_name: string | null; made_of: number | null }>(
      "select state, object_name, made_of from slideshow_films where slideshow_id = $1",
      [slideshowId],
    )
  ).rows[0];
const filmsSeenBy = async (who: Who) =>
  (await run(callers[who], "select from storage.objects where bucket_id = 'films'")).length;

/** Stores a finished film with these files. */
async function makeFilm(media: string[], slideshow = slideshowId, memory = memoryId) {
  const name = `${memory}/${randomUUID()}.mp4`;
  await db.query(
    `insert into storage.objects (id, bucket_id, name, version, metadata)
     values (gen_random_uuid(), 'films', $1, gen_random_uuid()::text, '{"mimetype": "video/mp4", "size": 9}')`,
    [name],
  );
  await db.query("delete from slideshow_films where slideshow_id = $1", [slideshow]);
  await db.query(
    `insert into slideshow_films (slideshow_id, memory_id, state, object_name, made_of, expires_at)
     values ($1, $2, 'ready', $3, (select changes from slideshows where id = $1), now() + interval '30 days')`,
    [slideshow, memory, name],
  );
  await db.query("insert into private.film_media (slideshow_id, media_id) select $1, unnest($2::uuid[])", [
    slideshow,
    media,
  ]);
}

beforeEach(async () => {
  await db.query("delete from slideshows where id <> all ($1)", [[slideshowId, world.emptySlideshowId]]);
  await db.query("delete from slideshow_items");
  await db.query("delete from slideshow_films");
  await db.query("update reveals set revealed = true");
});

describe("the photos of a slideshow", () => {
  test("are ordered by managers, over the revision that they saw", async () => {
    const [one, two] = [await upload(), await upload()];
    const { revision } = await stored();
    await arrange([two, one, two]);
    expect(await seenBy("visitor")).toEqual([two, one]);
    await expect(arrange([one], owner, revision)).rejects.toMatchObject({ code: "PT409", hint: "conflict" });
    await arrange([one, two], callers["co-owner"]);
    expect(await seenBy("viewer")).toEqual([one, two]);
    for (const who of ["contributor", "viewer", "stranger"] as const) {
      await expect(arrange([], callers[who])).rejects.toMatchObject({ code: "PT404" });
    }
    for (const who of ["guest", "visitor", "nobody"] as const)
      await expect(arrange([], callers[who])).rejects.toThrow();
    expect(await seenBy("owner")).toEqual([one, two]);
  });

  test("are photos of its memory that are shown, and no other files", async () => {
    const own = await upload();
    const others = [
      await upload("audio/mpeg"),
      await upload("video/mp4"),
      await upload("application/pdf"),
      await upload("image/jpeg", bobsMemoryId, callers.stranger),
      randomUUID(),
    ];
    await arrange([...others, own]);
    expect(await seenBy("owner")).toEqual([own]);
    for (const id of others) {
      const row = "insert into slideshow_items (slideshow_id, media_id, position) values ($1, $2, 1)";
      await expect(run(owner, row, [slideshowId, id])).rejects.toThrow();
    }
  });

  test("vanish when they are hidden or deleted, return with their place, and leave with a move", async () => {
    const [one, two, three] = [await upload(), await upload(), await upload()];
    await arrange([one, two, three]);
    await db.query("update media set moderation = 'hidden' where id = $1", [two]);
    for (const who of ["owner", "contributor", "visitor"] as const) expect(await seenBy(who)).toEqual([one, three]);
    await arrange([one, three]);
    await db.query("update media set moderation = 'shown' where id = $1", [two]);
    expect((await seenBy("visitor")).toSorted()).toEqual([one, two, three].toSorted());
    await run(owner, "delete from storage.objects where id = $1", [one]);
    expect(await seenBy("owner")).not.toContain(one);
    const [memory] = await run<{ id: string }>(owner, "insert into memories (person_name) values ('Two') returning id");
    await run(owner, "update storage.objects set name = $1 where id = $2", [`${memory?.id}/${three}.bin`, three]);
    expect(await seenBy("owner")).toEqual([two]);
  });

  test("of guests wait for the reveal", async () => {
    const photo = await upload("image/jpeg", memoryId, callers.contributor);
    await arrange([photo]);
    await db.query("update reveals set revealed = false where memory_id = $1", [memoryId]);
    expect([await seenBy("viewer"), await seenBy("visitor")]).toEqual([[], []]);
    expect(await seenBy("owner")).toEqual([photo]);
  });

  test("are 300 at most", async () => {
    const ids = Array.from({ length: 301 }, () => randomUUID());
    await db.query(
      `insert into storage.objects (id, bucket_id, name, version, metadata)
       select id, 'media', $2 || '/' || id || '.jpg', gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}' from unnest($1::uuid[]) id`,
      [ids, memoryId],
    );
    await db.query("update media set state = 'ready' where id = any ($1)", [ids]);
    await expect(arrange(ids)).rejects.toMatchObject({ hint: "too_many_pictures" });
    await arrange(ids.slice(1));
    expect(await seenBy("owner")).toHaveLength(300);
    await db.query("delete from storage.objects where id = any ($1)", [ids]);
  });
});

test("music is a recording of the memory that the family may use", async () => {
  const set = (music: string | null, allowed: boolean) =>
    run(owner, "update slideshows set music_id = $2, music_is_allowed = $3 where id = $1", [
      slideshowId,
      music,
      allowed,
    ]);
  const song = await upload("audio/mpeg");
  await expect(set(song, false)).rejects.toThrow("music_needs_permission");
  await set(song, true);
  for (const id of [objectId, await upload("audio/mpeg", bobsMemoryId, callers.stranger), randomUUID()])
    await expect(set(id, true)).rejects.toMatchObject({ hint: "slideshow_music" });
  await db.query("delete from storage.objects where id = $1", [song]);
  const { rows } = await db.query("select music_id from slideshows where id = $1", [slideshowId]);
  expect(rows).toEqual([{ music_id: null }]);
});

test("a memory has at most 50 slideshows, whose titles are cleaned", async () => {
  const add = (title: string) =>
    run<{ title: string }>(owner, "insert into slideshows (memory_id, title) values ($1, $2) returning title", [
      memoryId,
      title,
    ]);
  expect(await add("  Her\u202e \n years ")).toEqual([{ title: "Her years" }]);
  await expect(add("  ")).rejects.toThrow();
  await expect(add("x".repeat(121))).rejects.toThrow();
  await db.query("insert into slideshows (memory_id, title) select $1, 'No ' || n from generate_series(1, 47) n", [
    memoryId,
  ]);
  await expect(add("One more")).rejects.toMatchObject({ hint: "too_many_slideshows" });
});

describe("a film", () => {
  const request = (caller: Caller, id = slideshowId) => run(caller, "select request_film($1)", [id]);
  const discard = (caller: Caller) => run(caller, "select discard_film($1)", [slideshowId]);

  test("is requested, cancelled and seen by managers only", async () => {
    for (const who of ["contributor", "viewer", "stranger"] as const) {
      await expect(request(callers[who])).rejects.toMatchObject({ code: "PT404" });
      await expect(discard(callers[who])).rejects.toMatchObject({ code: "PT404" });
    }
    for (const who of ["guest", "visitor", "nobody"] as const) {
      await expect(request(callers[who])).rejects.toMatchObject({ code: "42501" });
    }
    await request(callers["co-owner"]);
    await request(owner);
    expect(await filmState()).toMatchObject({ state: "waiting" });
    await discard(owner);
    expect(await filmState()).toBeUndefined();
    await makeFilm([objectId]);
    for (const who of ["contributor", "viewer", "stranger", "guest", "visitor", "wall"] as const)
      expect(await filmsSeenBy(who)).toBe(0);
    expect([await filmsSeenBy("owner"), await filmsSeenBy("co-owner")]).toEqual([1, 1]);
  });

  test("stays while the next one is made, also if that is cancelled", async () => {
    await makeFilm([objectId]);
    await request(owner);
    expect([(await filmState())?.state, await filmsSeenBy("owner")]).toEqual(["waiting", 1]);
    await discard(owner);
    expect([(await filmState())?.state, await filmsSeenBy("owner")]).toEqual(["ready", 1]);
    await discard(owner);
    expect([await filmState(), await filmsSeenBy("owner")]).toEqual([undefined, 0]);
  });

  test.each([
    ["hidden", "update media set moderation = 'hidden' where id = $1"],
    ["in the trash", "update media set moderation = 'deleted' where id = $1"],
    ["deleted", "delete from storage.objects where id = $1"],
    [
      "moved",
      "update media set memory_id = (select id from memories where user_id = (select user_id from memories where id = media.memory_id) and id <> media.memory_id limit 1) where id = $1",
    ],
  ])("and its file go at once when a photo in it is %s", async (_how, statement) => {
    const photo = await upload();
    await makeFilm([objectId, photo]);
    await db.query("insert into private.work (kind, subject) values ('films', $1)", [slideshowId]);
    await db.query(statement, [photo]);
    expect(await filmState()).toMatchObject({ state: "withdrawn", object_name: null });
    const { rows } = await db.query("select from storage.objects where bucket_id = 'films'");
    const { rows: work } = await db.query("select from private.work where kind = 'films'");
    expect([rows.length, work.length]).toEqual([0, 0]);
  });

  test("is out of date after a change of what it shows, and not after another name", async () => {
    const photo = await upload();
    await arrange([photo]);
    await makeFilm([photo]);
    const isCurrent = async () => (await filmState())?.made_of === (await stored()).changes;
    await run(owner, "update slideshows set title = 'Another name' where id = $1", [slideshowId]);
    expect(await isCurrent()).toBe(true);
    for (const change of [
      () => run(owner, "update slideshows set pace = pace + 1 where id = $1", [slideshowId]),
      () => run(owner, "update slideshows set shows_captions = not shows_captions where id = $1", [slideshowId]),
      () => run(owner, "update media set caption = 'At the lake' where id = $1", [photo]),
      async () => arrange([photo, await upload()]),
    ]) {
      await makeFilm([photo]);
      expect(await isCurrent()).toBe(true);
      await change();
      expect(await isCurrent()).toBe(false);
    }
  });

  test("and its file go with the slideshow and with the memory", async () => {
    const [memory] = await run<{ id: string }>(owner, "insert into memories (person_name) values ('Two') returning id");
    const [other] = await run<{ id: string }>(
      owner,
      "insert into slideshows (memory_id, title) values ($1, 'Two') returning id",
      [memory?.id],
    );
    await makeFilm([], other?.id, memory?.id);
    expect(await filmsSeenBy("owner")).toBe(1);
    await db.query("delete from memories where id = $1", [memory?.id]);
    expect((await db.query("select from storage.objects where bucket_id = 'films'")).rows).toEqual([]);
    await makeFilm([objectId]);
    await run(owner, "delete from slideshows where id = $1", [slideshowId]);
    expect((await db.query("select from storage.objects where bucket_id = 'films'")).rows).toEqual([]);
  });

  test("cannot be uploaded or replaced by anybody, and three of a memory wait at most", async () => {
    const row = "insert into storage.objects (bucket_id, name, version) values ('films', $1, 'x')";
    for (const who of ["owner", "co-owner", "guest"] as const)
      await expect(run(callers[who], row, [`${memoryId}/${randomUUID()}.mp4`])).rejects.toThrow(/row-level security/);
    const ids = await run<{ id: string }>(
      owner,
      "insert into slideshows (memory_id, title) select $1, 'No ' || n from generate_series(1, 4) n returning id",
      [memoryId],
    );
    for (const { id } of ids.slice(0, 3)) await request(owner, id);
    await expect(request(owner, ids[3]?.id)).rejects.toMatchObject({ hint: "too_many_films" });
  });
});
