import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
/** Two photos of Ada's memory, ready to be paired. */
let front: string;
let back: string;
beforeAll(async () => {
  world = await makeWorld(db);
});
beforeEach(async () => {
  front = await photoIn(world.memoryId, world.callers.owner);
  back = await photoIn(world.memoryId, world.callers.owner);
});

async function photoIn(memoryId: string, { sub }: Caller, type = "image/jpeg") {
  const { rows } = await db.query<{ id: string }>(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     values ('media', $1, $2::uuid, $2, gen_random_uuid()::text, jsonb_build_object('mimetype', $3::text, 'size', 1)) returning id`,
    [`${memoryId}/${randomUUID()}.jpg`, sub, type],
  );
  const id = rows[0]?.id ?? "";
  await db.query("update media set state = 'ready', width = 60, height = 40 where id = $1", [id]);
  return id;
}

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Record<string, unknown>>(text, values)).rows);
const pair = (caller: Caller, fronts: string[], backs: string[]) =>
  run(caller, "select pair_sides($1, $2)", [fronts, backs]);
const separate = (caller: Caller, ids: string[]) => run(caller, "select * from separate_sides($1)", [ids]);
const swap = (caller: Caller, ids: string[]) => run(caller, "select swap_sides($1) as id", [ids]);
const describePhoto = (id: string, caption: string, altText: string) =>
  run(world.callers.owner, "update media set caption = $2, alt_text = $3 where id = $1", [id, caption, altText]);

/** A photo as its row has it, without what changes by itself. */
const rowOf = async (id: string) =>
  (
    await db.query(
      `select moderation, motion_of, has_back, back_width, back_text, caption, alt_text, position, is_cover from media where id = $1`,
      [id],
    )
  ).rows[0];

describe("a manager", () => {
  test.each(["owner", "co-owner"] as const)("makes one item of two photos, which everybody sees: %s", async (who) => {
    await describePhoto(back, "Lucca 1951", "Handwriting");
    expect(await pair(world.callers[who], [front], [back])).toHaveLength(1);
    expect(await rowOf(front)).toMatchObject({ has_back: true, back_width: 60, back_text: "Lucca 1951\nHandwriting" });
    expect(await rowOf(back)).toMatchObject({ moderation: "attached", motion_of: front });
    const seen = await run(world.callers.visitor, "select id, back_text from media where id = any ($1)", [
      [front, back],
    ]);
    expect(seen).toEqual([{ id: front, back_text: "Lucca 1951\nHandwriting" }]);
  });

  test("separates them again, and both are as they were", async () => {
    await describePhoto(front, "Wedding", "A church");
    await describePhoto(back, "Lucca 1951", "");
    await run(world.callers.owner, "select arrange_media($1, $2)", [world.memoryId, [back, front]]);
    const before = [await rowOf(front), await rowOf(back)];
    await pair(world.callers.owner, [front], [back]);
    expect(await separate(world.callers.owner, [front])).toEqual([{ front, back }]);
    expect([await rowOf(front), await rowOf(back)]).toEqual(before);
  });

  test("keeps words that were typed for the back when the two are separated", async () => {
    await describePhoto(back, "Lucca 1951", "");
    await pair(world.callers.owner, [front], [back]);
    await run(world.callers.owner, "update media set back_text = 'Lucca 1952' where id = $1", [front]);
    await separate(world.callers.owner, [front]);
    expect(await rowOf(back)).toMatchObject({ caption: "", alt_text: "Lucca 1952", moderation: "shown" });
    expect(await rowOf(front)).toMatchObject({ has_back: false, back_width: null, back_text: "" });
  });

  test("swaps the sides of an item, which keeps its caption, place, date and comments, and swaps them back", async () => {
    await describePhoto(front, "Wedding", "A church");
    await run(world.callers.owner, "select arrange_media($1, $2)", [world.memoryId, [back, front]]);
    await run(world.callers.owner, "select set_cover($1)", [front]);
    await run(world.callers.owner, "update media set taken_at = '1951-06-02T10:30:00' where id = $1", [front]);
    await pair(world.callers.owner, [front], [back]);
    await run(world.callers.owner, "update media set back_text = 'Lucca' where id = $1", [front]);
    await run(world.callers.owner, "insert into comments (memory_id, media_id, body) values ($1, $2, 'Zia Carmela')", [
      world.memoryId,
      front,
    ]);
    const item = { caption: "Wedding", is_cover: true, position: 2, has_back: true };
    expect(await rowOf(front)).toMatchObject({ ...item, alt_text: "A church", back_text: "Lucca" });
    expect(await swap(world.callers.owner, [front])).toEqual([{ id: back }]);
    expect(await rowOf(back)).toMatchObject({ ...item, alt_text: "Lucca", back_text: "A church" });
    const about = async () => (await db.query("select media_id from comments where body = 'Zia Carmela'")).rows;
    expect(await about()).toEqual([{ media_id: back }]);
    const { rows } = await db.query("select taken_at::text from media where id = $1", [back]);
    expect(rows).toEqual([{ taken_at: "1951-06-02" }]);
    await swap(world.callers.owner, [back]);
    expect(await rowOf(front)).toMatchObject({ ...item, alt_text: "A church", back_text: "Lucca" });
    expect(await about()).toEqual([{ media_id: front }]);
  });

  test("pairs many at once, or none of them", async () => {
    const [second, third] = [
      await photoIn(world.memoryId, world.callers.owner),
      await photoIn(world.memoryId, world.callers.owner),
    ];
    await expect(pair(world.callers.owner, [front, second], [back, back])).rejects.toMatchObject({ code: "PT409" });
    await expect(pair(world.callers.owner, [front, second], [back])).rejects.toMatchObject({ code: "PT409" });
    expect(await rowOf(front)).toMatchObject({ has_back: false });
    expect(await pair(world.callers.owner, [front, second], [back, third])).toHaveLength(2);
  });

  test("finds no back in the count of photos, and makes it neither a cover nor a front", async () => {
    const images = async () =>
      (
        await db.query<{ images: number }>(
          "select sum(images)::integer as images from private.media_sums where memory_id = $1",
          [world.memoryId],
        )
      ).rows[0]?.images ?? 0;
    const before = await images();
    await pair(world.callers.owner, [front], [back]);
    expect(await images()).toBe(before - 1);
    await expect(run(world.callers.owner, "select set_cover($1)", [back])).rejects.toMatchObject({ code: "PT404" });
    await expect(pair(world.callers.owner, [back], [front])).rejects.toMatchObject({ code: "PT409" });
  });
});

describe("cannot be one item:", () => {
  test.each([
    ["a photo and itself", async () => [front, front]],
    ["a front that has a back", async () => [front, await paired()]],
    ["a back of another front", async () => [await paired(), front]],
    ["photos of two people", async () => [front, await photoIn(world.memoryId, world.callers.contributor)]],
    ["a photo that is being read", async () => [front, await changed("state = 'waiting'")]],
    ["a photo that visitors do not see", async () => [front, await changed("moderation = 'hidden'")]],
    ["a paper", async () => [front, await changed("pages = 3")]],
    ["a raw photo", async () => [front, await photoIn(world.memoryId, world.callers.owner, "image/x-nikon-nef")]],
    ["a video", async () => [front, await photoIn(world.memoryId, world.callers.owner, "video/mp4")]],
  ])("%s", async (_what, make) => {
    const [one = "", other = ""] = await make();
    await expect(pair(world.callers.owner, [one], [other])).rejects.toMatchObject({ code: "PT409", hint: "not_sides" });
  });

  async function paired() {
    const ids = [
      await photoIn(world.memoryId, world.callers.owner),
      await photoIn(world.memoryId, world.callers.owner),
    ] as const;
    await pair(world.callers.owner, [ids[0]], [ids[1]]);
    return ids[0];
  }
  async function changed(how: string) {
    await db.query(`update media set ${how} where id = $1`, [back]);
    return back;
  }

  test("photos of two memories, of which one person manages both", async () => {
    const { rows } = await db.query<{ id: string }>(
      "insert into memories (user_id, person_name) values ($1, 'Nonno Aldo') returning id",
      [world.callers.owner.sub],
    );
    const other = await photoIn(rows[0]?.id ?? "", world.callers.owner);
    await expect(pair(world.callers.owner, [front], [other])).rejects.toMatchObject({ code: "PT409" });
  });

  test("photos of two memories, of which one is another person's", async () => {
    const bobs = await photoIn(world.bobsMemoryId, world.callers.stranger);
    await expect(pair(world.callers.owner, [front], [bobs])).rejects.toMatchObject({ code: "PT404" });
  });
});

test.each(["stranger", "contributor", "viewer", "visitor", "guest", "nobody"] as const)(
  "a %s changes no sides and no words of a back",
  async (who) => {
    const caller = world.callers[who];
    const code = caller.role === "anon" ? "42501" : "PT404";
    await expect(pair(caller, [front], [back])).rejects.toMatchObject({ code });
    await pair(world.callers.owner, [front], [back]);
    await expect(separate(caller, [front])).rejects.toMatchObject({ code });
    await expect(swap(caller, [front])).rejects.toMatchObject({ code });
    expect(await run(caller, "update media set back_text = 'x' where id = $1 returning id", [front])).toEqual([]);
  },
);
