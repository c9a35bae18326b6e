import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { editedSize, isEdit, type PhotoEdit, turned } from "../../shared/photo-edit.ts";
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
  ['{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1], "blur": 3}'],
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
