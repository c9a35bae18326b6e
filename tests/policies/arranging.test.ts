import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
/** Five photos of Ada's memory, in the order in which they were added. */
let photos: string[];

beforeAll(async () => {
  world = await makeWorld(db);
  photos = [];
  for (let n = 0; n < 5; n++) photos.push(await photoIn(world.memoryId, world.callers.owner));
});

async function photoIn(memoryId: string, { sub }: Caller) {
  const { rows } = await db.query<{ id: string }>(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     values ('media', $1, $2::uuid, $2, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}') returning id`,
    [`${memoryId}/${randomUUID()}.jpg`, sub],
  );
  return rows[0]?.id ?? "";
}

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows);
const arrange = (caller: Caller, ids: string[]) => run(caller, "select arrange_media($1, $2)", [world.memoryId, ids]);
const place = (caller: Caller, ids: string[], before: string | null) =>
  run(caller, "select move_media($1, $2, $3)", [world.memoryId, ids, before]);

/** Reads the photos' numbers in the managers' order. */
async function order(): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    "select id from media where memory_id = $1 and position is not null order by position",
    [world.memoryId],
  );
  return rows.map(({ id }) => photos.indexOf(id)).join("");
}

const ids = (...numbers: number[]) => numbers.map((number) => photos[number] ?? "");

describe("a manager arranges photos", () => {
  test("the first time all photos, in an order that everybody then sees", async () => {
    await arrange(world.callers.owner, ids(4, 3, 2, 1, 0));
    expect(await order()).toBe("43210");
    const seen = await run(world.callers.visitor, "select media_order from memories where id = $1", [world.memoryId]);
    expect(seen).toEqual([{ media_order: "arranged" }]);
  });

  test("then some before another one, first or last, and only their rows change", async () => {
    await arrange(world.callers.owner, ids(0, 1, 2, 3, 4));
    const before = await db.query("select id, position from media where memory_id = $1", [world.memoryId]);
    await place(world.callers["co-owner"], ids(4), ids(1)[0] ?? null);
    expect(await order()).toBe("04123");
    const after = await db.query<{ id: string }>("select id, position from media where memory_id = $1", [
      world.memoryId,
    ]);
    const changed = after.rows.filter((row) => !before.rows.some((old) => JSON.stringify(old) === JSON.stringify(row)));
    expect(changed.map(({ id }) => id)).toEqual(ids(4));
    await place(world.callers.owner, ids(3, 2), ids(0)[0] ?? null);
    expect(await order()).toBe("32041");
    await place(world.callers.owner, ids(3, 0), null);
    expect(await order()).toBe("24130");
  });

  test("any number of times between the same two photos", async () => {
    await arrange(world.callers.owner, ids(0, 1, 2, 3, 4));
    for (let round = 0; round < 60; round++) await place(world.callers.owner, ids(3 + (round % 2)), ids(1)[0] ?? null);
    expect(await order()).toBe("03412");
    const { rows } = await db.query(
      "select count(distinct position) from media where memory_id = $1 and position is not null",
      [world.memoryId],
    );
    expect(Number(rows[0]?.count)).toBe(5);
  });

  test("but not before a photo without a position", async () => {
    await expect(place(world.callers.owner, ids(0), world.objectId)).rejects.toMatchObject({ code: "PT409" });
  });
});

test.each(["stranger", "contributor", "viewer"] as const)("a %s cannot change the order or the cover", async (who) => {
  const caller = world.callers[who];
  for (const attempt of [
    () => arrange(caller, ids(0)),
    () => place(caller, ids(0), null),
    () => run(caller, "select remove_cover($1)", [world.memoryId]),
    () => run(caller, "select restore_cover($1, 0.5, 0.5)", ids(0)),
    () => run(caller, "select restore_order($1, $2, '{1}', '{null}', 'taken')", [world.memoryId, ids(0)]),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "PT404" });
  }
});

test("arranging does not change photos of another memory", async () => {
  const bobs = await photoIn(world.bobsMemoryId, world.callers.stranger);
  await arrange(world.callers.owner, [bobs, ...ids(0, 1)]);
  await place(world.callers.owner, [bobs], null);
  const { rows } = await db.query("select position from media where id = $1", [bobs]);
  expect(rows).toEqual([{ position: null }]);
});

test("a memory has no cover after its cover is removed", async () => {
  await run(world.callers.owner, "select set_cover($1)", ids(2));
  await run(world.callers["co-owner"], "select remove_cover($1)", [world.memoryId]);
  const { rows } = await db.query("select 1 from media where memory_id = $1 and is_cover", [world.memoryId]);
  expect(rows).toEqual([]);
});

describe("an undo keeps what somebody else did since", () => {
  const one = async (caller: Caller, text: string, values: unknown[]) =>
    Object.values((await run(caller, text, values))[0] ?? {})[0];
  const positions = async (of: string[]) => {
    const { rows } = await db.query<{ id: string; position: number | null }>(
      "select id, position from media where id = any ($1)",
      [of],
    );
    return of.map((id) => rows.find((row) => row.id === id)?.position ?? null);
  };
  const back = (of: string[], to: (number | null)[], expected: (number | null)[], order = "arranged") =>
    one(world.callers.owner, "select restore_order($1, $2, $3, $4, $5)", [world.memoryId, of, to, expected, order]);

  test("moved photos go back, unless one of them was moved again", async () => {
    await arrange(world.callers.owner, ids(0, 1, 2, 3, 4));
    const moved = ids(3, 4);
    const before = await positions(moved);
    await place(world.callers.owner, moved, ids(0)[0] ?? null);
    const after = await positions(moved);
    await place(world.callers["co-owner"], ids(4), ids(1)[0] ?? null);
    expect(await back(moved, before, after)).toBe(false);
    expect(await order()).toBe("30412");
    await place(world.callers["co-owner"], ids(2), ids(0)[0] ?? null);
    expect(await back(ids(3), before.slice(0, 1), after.slice(0, 1))).toBe(true);
    expect(await order()).toBe("20413");
  });

  test("the first arrangement, with the memory's former order", async () => {
    const all = ids(0, 1, 2, 3, 4);
    await db.query("update media set position = null where id = any ($1)", [all]);
    await db.query("update memories set media_order = 'newest' where id = $1", [world.memoryId]);
    await arrange(world.callers.owner, ids(4, 3, 2, 1, 0));
    expect(await back(all, [null, null, null, null, null], [5, 4, 3, 2, 1], "newest")).toBe(true);
    expect(await positions(all)).toEqual([null, null, null, null, null]);
    const { rows } = await db.query("select media_order from memories where id = $1", [world.memoryId]);
    expect(rows).toEqual([{ media_order: "newest" }]);
  });

  test("the removed cover, with its focal point, unless there is another one", async () => {
    const again = (photo: number) => one(world.callers.owner, "select restore_cover($1, 0.25, 0.75)", ids(photo));
    await run(world.callers.owner, "select set_cover($1)", ids(2));
    await run(world.callers.owner, "select remove_cover($1)", [world.memoryId]);
    expect(await again(2)).toBe(true);
    const { rows } = await db.query("select cover_x, cover_y from memories where id = $1", [world.memoryId]);
    expect(rows).toEqual([{ cover_x: 0.25, cover_y: 0.75 }]);
    await run(world.callers["co-owner"], "select set_cover($1)", ids(1));
    expect(await again(2)).toBe(false);
    const cover = await db.query("select id from media where memory_id = $1 and is_cover", [world.memoryId]);
    expect(cover.rows).toEqual([{ id: ids(1)[0] }]);
  });
});

describe("moving to another memory is renaming the object", () => {
  const rename = (caller: Caller, id: string, memoryId: string) =>
    run(caller, "update storage.objects set name = $2 || '/' || storage.filename(name) where id = $1 returning id", [
      id,
      memoryId,
    ]);
  const second = () =>
    run(world.callers.owner, "insert into memories (person_name, draft) values ('Another', true) returning id").then(
      ([row]) => String(row?.id),
    );

  test("the row moves too, and loses its cover mark and its position", async () => {
    const to = await second();
    const [moved = ""] = ids(0);
    await run(world.callers.owner, "select set_cover($1)", [moved]);
    expect(await rename(world.callers.owner, moved, to)).toHaveLength(1);
    const { rows } = await db.query(
      "select memory_id, is_cover, position, split_part(object_name, '/', 1) as folder from media where id = $1",
      [moved],
    );
    expect(rows).toEqual([{ memory_id: to, is_cover: false, position: null, folder: to }]);
    await rename(world.callers.owner, moved, world.memoryId);
  });

  test("only a manager of both memories can move a photo", async () => {
    const to = await second();
    const [photo = ""] = ids(1);
    for (const who of ["stranger", "contributor", "viewer", "visitor", "nobody"] as const) {
      expect(await rename(world.callers[who], photo, to).catch(() => []), who).toEqual([]);
    }
    // The co-owner manages this memory, but neither of the others.
    for (const elsewhere of [to, world.bobsMemoryId]) {
      await expect(rename(world.callers["co-owner"], photo, elsewhere)).rejects.toMatchObject({ code: "42501" });
    }
  });

  test("a stored photo cannot be overwritten", async () => {
    await expect(
      run(world.callers.owner, "update storage.objects set version = 'another' where id = $1", ids(1)),
    ).rejects.toMatchObject({ code: "PT409" });
  });
});
