import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { type Box, editedSize, isEdit, MOST_BLURS, type PhotoEdit, turned } from "../../shared/photo-edit.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, WHO, type Who, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
let photo: string;
beforeAll(async () => {
  world = await makeWorld(db);
});
beforeEach(async () => {
  photo = await itemOf(world.callers.owner);
});

async function itemOf({ sub }: Caller, type = "image/jpeg") {
  const { rows } = await db.query<{ id: string }>(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     values ('media', $1, $2::uuid, $2, gen_random_uuid()::text, jsonb_build_object('mimetype', $3::text, 'size', 1)) returning id`,
    [`${world.memoryId}/${randomUUID()}.jpg`, sub, type],
  );
  const id = rows[0]?.id ?? "";
  await db.query("update media set state = 'ready', width = 600, height = 400 where id = $1", [id]);
  return id;
}

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Record<string, unknown>>(text, values)).rows);
const write = (caller: Caller, edit: unknown, id = photo) =>
  run(caller, "update media set edit = $2 where id = $1 returning id", [
    id,
    edit === null ? null : JSON.stringify(edit),
  ]);
const rowOf = async (id = photo) =>
  (
    await db.query<{ edit: PhotoEdit | null; width: number; height: number; revision: number }>(
      "select edit, width, height, revision from media where id = $1",
      [id],
    )
  ).rows[0];

const EDIT: PhotoEdit = { turn: 0, straighten: 0, crop: [0, 0, 1, 1] };
const MAY: Who[] = ["co-owner", "owner", "service"];

test.each(WHO)("Spec §3: only the photo's managers turn, straighten and crop it: %s", async (who) => {
  const changed = async (work: Promise<unknown[]>) => (await work.catch(() => [])).length;
  const caller = world.callers[who];
  const before = await rowOf();
  const expected = MAY.includes(who) ? 1 : 0;
  expect(await changed(write(caller, { ...EDIT, turn: 90 }))).toBe(expected);
  expect(await changed(run(caller, "select turn_media($1, 90)", [[photo]]))).toBe(expected);
  if (!expected) expect(await rowOf()).toEqual(before);
});

test("the person who added a photo turns it, and a guest their own", async () => {
  const own = await itemOf(world.callers.contributor);
  expect(await write(world.callers.contributor, { ...EDIT, turn: 90 }, own)).toHaveLength(1);
  expect(await write(world.callers.viewer, null, own)).toHaveLength(0);
  await db.query("update media_details set user_id = null, guest_id = $2 where media_id = $1", [own, world.guestId]);
  expect(await run(world.callers.guest, "select turn_media($1, 90)", [[own, photo]])).toHaveLength(1);
  expect(await write(world.callers.guest, null, own)).toHaveLength(1);
});

describe("a photo", () => {
  test("has the size in which it is shown, and that of its file again without an edit", async () => {
    const edits: PhotoEdit[] = [
      { ...EDIT, turn: 90 },
      { turn: 270, straighten: -7.3, crop: [0.1234, 0.2, 0.5, 0.8] },
      { ...EDIT, straighten: 45 },
      { ...EDIT, crop: [0.95, 0, 0.05, 0.05] },
    ];
    for (const edit of edits) {
      await write(world.callers.owner, edit);
      const size = { width: 600, height: 400 };
      expect(await rowOf()).toMatchObject({ ...editedSize(size, edit), edit: { ...edit, of: [600, 400] } });
    }
    await write(world.callers.owner, null);
    expect(await rowOf()).toMatchObject({ width: 600, height: 400, edit: null });
  });

  test("gets the size of its edit also if its file is measured later", async () => {
    await db.query("update media set width = null, height = null where id = $1", [photo]);
    await write(world.callers.owner, { ...EDIT, turn: 90 });
    expect(await rowOf()).toMatchObject({ width: null, edit: { ...EDIT, turn: 90 } });
    await db.query("update media set width = 800, height = 500 where id = $1", [photo]);
    expect(await rowOf()).toMatchObject({ width: 500, height: 800, edit: { turn: 90, of: [800, 500] } });
  });

  test("is turned as it is shown, together with others, and back", async () => {
    const edit: PhotoEdit = { turn: 90, straighten: 3.5, crop: [0.1, 0.2, 0.3, 0.4] };
    await write(world.callers.owner, edit);
    const [other, sound] = [await itemOf(world.callers.owner), await itemOf(world.callers.owner, "audio/mpeg")];
    const turn = (degrees: number) =>
      run(world.callers.owner, "select turn_media($1, $2) as id", [[photo, other, sound], degrees]);
    expect((await turn(90)).map(({ id }) => id).sort()).toEqual([photo, other].sort());
    expect((await rowOf())?.edit).toMatchObject(turned(edit, 90) ?? {});
    expect((await rowOf(other))?.edit).toMatchObject({ turn: 90 });
    await turn(-90);
    expect((await rowOf())?.edit).toMatchObject(edit);
    expect((await rowOf(other))?.edit).toBeNull();
  });

  test("counts a change of its edit, refuses one that is based on another, and counts none that shows the same", async () => {
    const { revision = 0 } = (await rowOf()) ?? {};
    await write(world.callers.owner, { ...EDIT, turn: 90 });
    expect((await rowOf())?.revision).toBe(revision + 1);
    await write(world.callers.owner, { ...EDIT, turn: 90, of: [1, 1] });
    expect((await rowOf())?.revision).toBe(revision + 1);
    const stale = run(world.callers.owner, "update media set edit = null, revision = $2 where id = $1", [
      photo,
      revision,
    ]);
    await expect(stale).rejects.toMatchObject({ code: "PT409" });
    await write(world.callers.owner, EDIT);
    expect((await rowOf())?.edit).toBeNull();
  });

  test("is made ready again by a job, once for its last edit", async () => {
    await write(world.callers.owner, { ...EDIT, turn: 90 });
    await db.query("update private.work set claim = gen_random_uuid(), attempts = 1 where subject = $1", [photo]);
    await write(world.callers.owner, { ...EDIT, turn: 180 });
    const { rows } = await db.query(
      "select kind, claim, attempts from private.work where subject = $1 and kind = 'edits'",
      [photo],
    );
    expect(rows).toEqual([{ kind: "edits", claim: null, attempts: 0 }]);
  });
});

describe("a blurred part", () => {
  const FACE: Box = [0.1, 0.2, 0.25, 0.3];
  const OTHER: Box = [0.5, 0.5, 0.1, 0.1];
  const shown = async (id = photo) =>
    (
      await db.query<{ placeholder: string | null; colour: string | null }>(
        "select placeholder, colour from media where id = $1",
        [id],
      )
    ).rows[0];

  test("stays through turns, and at once takes away the tiny picture that shows it", async () => {
    await db.query("update media set placeholder = 'data:a', colour = '#aabbcc' where id = $1", [photo]);
    await write(world.callers.owner, { ...EDIT, turn: 90 });
    expect(await shown()).toEqual({ placeholder: "data:a", colour: "#aabbcc" });
    await write(world.callers.owner, { ...EDIT, turn: 90, blur: [FACE] });
    expect(await shown()).toEqual({ placeholder: null, colour: null });
    await run(world.callers.owner, "select turn_media($1, 270)", [[photo]]);
    expect((await rowOf())?.edit).toEqual({ ...EDIT, blur: [FACE], of: [600, 400] });
    expect(await rowOf()).toMatchObject({ width: 600, height: 400 });
    await write(world.callers.owner, null);
    expect((await rowOf())?.edit).toBeNull();
  });

  test("is shown again only by managers: who added the photo may blur more", async () => {
    const own = await itemOf(world.callers.contributor);
    const { contributor, owner } = world.callers;
    await write(contributor, { ...EDIT, blur: [FACE] }, own);
    await write(owner, { ...EDIT, blur: [FACE, OTHER] }, own);
    await write(contributor, { ...EDIT, turn: 90, blur: [[0, 0, 0.1, 0.1], OTHER, FACE] }, own);
    const less = [
      null,
      { ...EDIT, turn: 90 },
      { ...EDIT, blur: [FACE] },
      { ...EDIT, blur: [OTHER, [0.1, 0.2, 0.25, 0.2999]] },
      // The same numbers in another order are another part.
      { ...EDIT, blur: [OTHER, [0.3, 0.25, 0.2, 0.1]] },
      { ...EDIT, blur: "everything" },
    ];
    for (const edit of less) {
      await expect(write(contributor, edit, own)).rejects.toMatchObject({ code: "42501" });
    }
    expect((await rowOf(own))?.edit).toMatchObject({ turn: 90, blur: [[0, 0, 0.1, 0.1], OTHER, FACE] });
    expect(await write(world.callers["co-owner"], { ...EDIT, turn: 90 }, own)).toHaveLength(1);
    await db.query("update media_details set user_id = null, guest_id = $2 where media_id = $1", [own, world.guestId]);
    await write(world.callers.guest, { ...EDIT, blur: [FACE] }, own);
    await expect(write(world.callers.guest, null, own)).rejects.toMatchObject({ code: "42501" });
  });

  test("is refused in a photo that was not read yet, because it may have pages", async () => {
    await db.query("update media set state = 'waiting' where id = $1", [photo]);
    const written = write(world.callers.owner, { ...EDIT, blur: [FACE] });
    await expect(written).rejects.toMatchObject({ code: "PT400" });
  });

  test("withdraws films that show it", async () => {
    const film = () =>
      run(world.callers.service, "select state from slideshow_films where slideshow_id = $1", [world.slideshowId]);
    const { rows } = await db.query<{ media_id: string }>(
      "select media_id from slideshow_items where slideshow_id = $1 limit 1",
      [world.slideshowId],
    );
    const shownIn = rows[0]?.media_id ?? "";
    await db.query("update media set state = 'ready', width = 600, height = 400 where id = $1", [shownIn]);
    await db.query("update slideshow_films set state = 'making' where slideshow_id = $1", [world.slideshowId]);
    await db.query("insert into private.film_media (slideshow_id, media_id) values ($1, $2) on conflict do nothing", [
      world.slideshowId,
      shownIn,
    ]);
    await write(world.callers.owner, { ...EDIT, turn: 90 }, shownIn);
    expect(await film()).toEqual([{ state: "making" }]);
    await write(world.callers.owner, { ...EDIT, blur: [FACE] }, shownIn);
    expect(await film()).toEqual([{ state: "withdrawn" }]);
  });

  test("is one of at most fifty", async () => {
    const blur = Array.from({ length: MOST_BLURS }, () => FACE);
    expect(await write(world.callers.owner, { ...EDIT, blur })).toHaveLength(1);
    for (const refused of [[...blur, FACE], []]) {
      expect(isEdit({ ...EDIT, blur: refused })).toBe(false);
      await expect(write(world.callers.owner, { ...EDIT, blur: refused })).rejects.toMatchObject({ code: "23514" });
    }
  });
});

test("a recording, a video and a paper have no edit", async () => {
  for (const type of ["audio/mpeg", "video/mp4", "application/pdf"]) {
    const item = await itemOf(world.callers.owner, type);
    await expect(write(world.callers.owner, { ...EDIT, turn: 90 }, item)).rejects.toMatchObject({ code: "23514" });
  }
});

test("a photo that turns out to have pages loses its edit", async () => {
  await write(world.callers.owner, { ...EDIT, turn: 90 });
  await db.query("update media set pages = 3, width = 600, height = 400 where id = $1", [photo]);
  expect(await rowOf()).toMatchObject({ edit: null, width: 600, height: 400 });
});

test.each([
  ['{"turn": 45, "straighten": 0, "crop": [0, 0, 1, 1]}'],
  ['{"turn": "90", "straighten": 0, "crop": [0, 0, 1, 1]}'],
  ['{"turn": 90.5, "straighten": 0, "crop": [0, 0, 1, 1]}'],
  ['{"turn": -90, "straighten": 0, "crop": [0, 0, 1, 1]}'],
  ['{"turn": 1e308, "straighten": 0, "crop": [0, 0, 1, 1]}'],
  ['{"turn": 90, "straighten": "NaN", "crop": [0, 0, 1, 1]}'],
  ['{"turn": 0, "straighten": 45.1, "crop": [0, 0, 1, 1]}'],
  ['{"turn": 0, "straighten": 1e308, "crop": [0, 0, 1, 1]}'],
  ['{"turn": 0, "straighten": 0.25, "crop": [0, 0, 1, 1]}'],
  ['{"turn": 0, "straighten": null, "crop": [0, 0, 1, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [-0.1, 0, 0.5, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0.6, 0, 0.5, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0.6, 1, 0.5]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 0.04, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 0]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1.5, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1e308, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1e-9, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": "0,0,1,1"}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "size": 3}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": 3}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": null}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": []}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": "[[0, 0, 1, 1]]"}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [0, 0, 1, 1]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[0, 0, 1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[[0, 0, 1, 1]]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[0, 0, 1, 1], [0, 0, 1, 1.1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[0, 0, 0.004, 1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[0.5, 0, 0.6, 1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[-0.1, 0, 0.6, 1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[0, 0, 1e308, 1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[0, 0, 0.33333, 1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [["0", 0, 1, 1]]}'],
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": [[0, 0, 1, 1], {}]}'],
  ['{"turn": 90, "straighten": 0}'],
  ["{}"],
  ["[]"],
  ["90"],
  ['"90"'],
  ["null"],
])("an edit that is none is refused, and its photo stays: %s", async (text) => {
  const before = await rowOf();
  const written = run(world.callers.owner, "update media set edit = $2::jsonb where id = $1", [photo, text]);
  await expect(written).rejects.toMatchObject({ code: "23514" });
  expect(await rowOf()).toEqual(before);
  expect(isEdit(JSON.parse(text))).toBe(false);
});

test.each([[45], [360], [-1], [null]])("pictures are not turned by %s degrees", async (degrees) => {
  const turning = run(world.callers.owner, "select turn_media($1, $2::integer)", [[photo], degrees]);
  await expect(turning).rejects.toMatchObject({ code: "PT400" });
});
