import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { momentOf } from "../../shared/zoned-time.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type Who, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db);
});

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Record<string, unknown>>(text, values)).rows);
const as = (who: Who, text: string, values: unknown[] = []) => run(world.callers[who], text, values);

const SERVICE = {
  part: "service",
  title: "Service",
  on_date: "2026-05-09",
  starts_at: "14:00",
  doors_at: "13:30",
  time_zone: "Europe/Rome",
  place: "San Zeno",
};
const save = (who: Who, id: string, changes: object, revision: number | null = null) =>
  as(who, "select save_day_part($1, $2, $3, $4)", [world.memoryId, id, JSON.stringify(changes), revision]);
async function addPart(changes: object = {}): Promise<string> {
  const id = randomUUID();
  await save("owner", id, { ...SERVICE, ...changes });
  return id;
}
const revisionOf = async (id: string) =>
  Number(
    (await db.query<{ revision: number }>("select revision from memory_entries where id = $1", [id])).rows[0]?.revision,
  );

describe("a part for members only", () => {
  test.each<[Who, number]>([
    ["nobody", 0],
    ["stranger", 0],
    ["visitor", 0],
    ["guest", 0],
    ["superseded", 0],
    ["viewer", 1],
    ["contributor", 1],
    ["co-owner", 1],
    ["owner", 1],
  ])("is seen by %s: %i", async (who, count) => {
    const id = await addPart({ audience: "members", stream_url: "https://example.com/live" });
    expect(await as(who, "select from memory_entries where id = $1", [id])).toHaveLength(count);
    expect(await as(who, "select from entry_streams where entry_id = $1", [id])).toHaveLength(count);
  });

  test("is not seen by a signed-in person through a link, either", async () => {
    const id = await addPart({ audience: "members" });
    const { share } = world.callers.visitor;
    expect(
      await run({ ...world.callers.stranger, share }, "select from memories where id = $1", [world.memoryId]),
    ).toHaveLength(1);
    expect(await run({ ...world.callers.stranger, share }, "select from memory_entries where id = $1", [id])).toEqual(
      [],
    );
  });
});

describe("the address of a livestream", () => {
  test.each<[string, Who, string, number]>([
    ["before its time", "visitor", "1 minute", 0],
    ["before its time", "guest", "1 minute", 0],
    ["before its time", "viewer", "1 minute", 0],
    ["before its time", "contributor", "1 minute", 0],
    ["before its time", "co-owner", "1 minute", 1],
    ["before its time", "owner", "1 minute", 1],
    ["after its time", "visitor", "-1 second", 1],
    ["after its time", "viewer", "-1 second", 1],
    ["after its time", "stranger", "-1 second", 0],
    ["after its time", "nobody", "-1 second", 0],
  ])("%s is told to %s", async (_when, who, wait, count) => {
    const { rows } = await db.query<{ time: string }>("select to_json(now() + $1::interval) #>> '{}' as time", [wait]);
    const id = await addPart({ stream_url: "https://example.com/live", stream_from: rows[0]?.time });
    expect(await as(who, "select url from entry_streams where entry_id = $1", [id])).toHaveLength(count);
    const [seen] = await as(who, "select to_jsonb(e)::text as row from memory_entries e where id = $1", [id]);
    expect(String(seen?.row)).not.toContain("example.com");
  });

  test("that is changed counts as a change of its part, and an empty one is removed", async () => {
    const id = await addPart({ stream_url: "https://example.com/live" });
    const before = await revisionOf(id);
    await save("owner", id, { stream_url: "https://example.com/other" }, before);
    expect(await revisionOf(id)).toBeGreaterThan(before);
    await expect(save("owner", id, { stream_url: "https://example.com/third" }, before)).rejects.toMatchObject({
      code: "PT409",
    });
    await save("owner", id, { stream_url: "" }, await revisionOf(id));
    expect(await as("owner", "select from entry_streams where entry_id = $1", [id])).toEqual([]);
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "example.com", "https://a b"])("is no %s", async (url) => {
    await expect(addPart({ stream_url: url })).rejects.toMatchObject({ code: "23514" });
    await expect(addPart({ map_url: url })).rejects.toMatchObject({ code: "23514" });
    await expect(addPart({ gifts_url: url })).rejects.toMatchObject({ code: "23514" });
  });
});

describe("saving a part", () => {
  test.each<[Who, boolean]>([
    ["owner", true],
    ["co-owner", true],
    ["contributor", false],
    ["viewer", false],
    ["stranger", false],
    ["visitor", false],
    ["guest", false],
    ["nobody", false],
  ])("is allowed to %s: %s", async (who, allowed) => {
    const id = await addPart();
    const changing = save(who, id, { dress: "Bright colours" }, 1).then(
      () => true,
      () => false,
    );
    const adding = save(who, randomUUID(), SERVICE).then(
      () => true,
      () => false,
    );
    expect([await changing, await adding]).toEqual([allowed, allowed]);
    const added = await as("owner", "select dress from memory_entries where id = $1", [id]);
    expect(added).toEqual([{ dress: allowed ? "Bright colours" : "" }]);
  });

  test("changes only the columns that it names, and refuses a stale revision", async () => {
    const id = await addPart({ parking: "Behind the church" });
    await save("co-owner", id, { place: "San Fermo" }, 1);
    await expect(save("owner", id, { place: "Duomo" }, 1)).rejects.toMatchObject({ code: "PT409", hint: "conflict" });
    expect(await as("owner", "select place, parking, revision from memory_entries where id = $1", [id])).toEqual([
      { place: "San Fermo", parking: "Behind the church", revision: 2 },
    ]);
  });

  test("again with the same id adds no second part", async () => {
    const id = await addPart();
    await save("owner", id, SERVICE);
    expect(await as("owner", "select from memory_entries where id = $1", [id])).toHaveLength(1);
  });

  test("never moves a part of another memory, whatever the changes name", async () => {
    const id = await addPart();
    const bobs = world.bobsMemoryId;
    await save("owner", id, { memory_id: bobs, id: randomUUID(), dress: "Dark" }, 1);
    expect(await as("owner", "select memory_id from memory_entries where id = $1", [id])).toEqual([
      { memory_id: world.memoryId },
    ]);
    const wrong = as("owner", "select save_day_part($1, $2, '{}', 1)", [bobs, id]);
    await expect(wrong).rejects.toMatchObject({ code: "PT404" });
  });

  test.each([
    ["a day that is not exact", { on_date: "2026-05" }],
    ["no day", { on_date: null }],
    ["no time zone", { time_zone: null }],
    ["a POSIX rule", { time_zone: "ABC5" }],
    ["a place that has no time zone", { time_zone: "Europe/Verona_Centro" }],
    ["another kind", { part: "brunch" }],
    ["another audience", { audience: "everybody" }],
  ])("is refused with %s", async (_what, changes) => {
    await expect(addPart(changes)).rejects.toMatchObject({ code: expect.stringMatching(/^(23514|22023)$/) });
  });
});

test.each([
  ["2026-03-29", "01:30", "Europe/Rome"],
  ["2026-03-29", "02:30", "Europe/Rome"],
  ["2026-03-29", "03:30", "Europe/Rome"],
  ["2026-10-25", "02:30", "Europe/Rome"],
  ["2026-11-01", "01:30", "America/New_York"],
  ["2026-07-11", "15:30", "Australia/Lord_Howe"],
  ["2026-12-24", "23:30", "Asia/Kathmandu"],
])("%s %s in %s is the same moment for the database and the browser", async (on_date, starts_at, time_zone) => {
  const id = await addPart({ on_date, starts_at, doors_at: null, time_zone });
  const text = "select begins_at(e) as begins from memory_entries e where id = $1";
  const [row] = await as("owner", text, [id]);
  expect(row?.begins).toEqual(momentOf(`${on_date}T${starts_at}`, time_zone));
});

test.each([
  ["after an hour", { ends_at: null }, "2026-05-09T13:00:00.000Z"],
  ["at its end", { ends_at: "18:00" }, "2026-05-09T16:00:00.000Z"],
  ["on the next day", { ends_at: "02:00" }, "2026-05-10T00:00:00.000Z"],
  ["with its day", { starts_at: null, doors_at: null }, "2026-05-09T22:00:00.000Z"],
])("a part ends %s", async (_when, changes, end) => {
  const id = await addPart(changes);
  const [row] = await as("owner", "select finishes_at(e) as finish from memory_entries e where id = $1", [id]);
  expect(row?.finish).toEqual(new Date(end));
});

test("a part for members is not in the search index, which every viewer reads", async () => {
  const id = await addPart({ title: "Interment of the urn" });
  const entries = async () =>
    (await db.query("select from private.search_entries where row_id = $1", [id])).rows.length;
  expect(await entries()).toBe(1);
  await save("owner", id, { audience: "members" }, 1);
  expect(await entries()).toBe(0);
  await save("owner", id, { audience: "all" }, 2);
  expect(await entries()).toBe(1);
});
