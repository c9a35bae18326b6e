import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db);
  await db.query("update profiles set full_name = 'Carla' where id = $1", [world.people.contributor]);
});

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<{ id: string }>(text, values)).rows);
const refused = { code: "42501" };

/** Adds a story as the contributor. */
const tell = async (body = "<p>We swam.</p>") => {
  const rows = await run(
    world.callers.contributor,
    "insert into stories (memory_id, title, body) values ($1, 'The lake', $2) returning id",
    [world.memoryId, body],
  );
  return rows[0]?.id ?? "";
};

describe("a story", () => {
  test("is credited with its author's name by the database, and comes last", async () => {
    const [first, second] = [await tell(), await tell()];
    const { rows } = await db.query(
      "select id, user_id, name from stories left join story_credits on story_id = id where stories.memory_id = $1 order by position",
      [world.memoryId],
    );
    const carla = { user_id: world.people.contributor, name: "Carla" };
    expect(rows).toMatchObject([{ id: world.storyId }, { id: first, ...carla }, { id: second, ...carla }]);
  });

  test.each(["user_id", "guest_id", "moderation", "position", "created_at"])(
    "cannot be added with a %s that its author chooses",
    async (column) => {
      const text = `insert into stories (memory_id, body, ${column}) values ($1, '<p>x</p>', default)`;
      await expect(run(world.callers.contributor, text, [world.memoryId])).rejects.toMatchObject(refused);
    },
  );

  test("can be changed only by its author, not by managers of the memory", async () => {
    const id = await tell();
    const text = "update stories set body = '<p>We sailed.</p>' where id = $1 returning id";
    expect(await run(world.callers.contributor, text, [id])).toEqual([{ id }]);
    for (const manager of ["owner", "co-owner"] as const) {
      await expect(run(world.callers[manager], text.replace("sailed", "sank"), [id])).rejects.toMatchObject(refused);
    }
    await expect(run(world.callers["co-owner"], "update stories set title = 'X' where id = $1", [id])).rejects.toThrow(
      "Only its author",
    );
  });

  test("can be deleted by its author", async () => {
    const id = await tell();
    await run(world.callers.contributor, "delete from stories where id = $1", [id]);
    expect(await run(world.callers.contributor, "select id from stories where id = $1", [id])).toEqual([]);
  });

  test("cannot be changed or deleted by an author who may no longer add to the memory", async () => {
    const id = await tell();
    const role = "update memory_members set role = $2 where user_id = $1";
    await db.query(role, [world.people.contributor, "viewer"]);
    const { contributor } = world.callers;
    await run(contributor, "delete from stories where id = $1", [id]);
    expect(await run(world.callers.owner, "select id from stories where id = $1", [id])).toEqual([{ id }]);
    expect(await run(contributor, "update stories set title = 'X' where id = $1 returning id", [id])).toEqual([]);
    await db.query(role, [world.people.contributor, "contributor"]);
  });

  test.each(["held", "hidden"])("that is %s is visible to its author and the managers only", async (moderation) => {
    const id = await tell();
    const by = (who: keyof World["callers"]) =>
      run(world.callers[who], "update stories set moderation = $2 where id = $1 returning id", [id, moderation]);
    await expect(by("contributor")).rejects.toThrow("Only managers");
    expect(await by("co-owner")).toHaveLength(1);
    const seenBy = async (who: keyof World["callers"]) =>
      (await run(world.callers[who], "select id from stories where id = $1", [id])).length;
    const seen: Record<string, number> = {};
    for (const who of ["nobody", "stranger", "visitor", "viewer", "contributor", "co-owner", "owner"] as const) {
      seen[who] = await seenBy(who);
    }
    expect(seen).toEqual({
      nobody: 0,
      stranger: 0,
      visitor: 0,
      viewer: 0,
      contributor: 1,
      "co-owner": 1,
      owner: 1,
    });
  });

  test("is arranged among the others by managers only", async () => {
    const ids = [await tell(), await tell()].reverse();
    const arrange = (who: keyof World["callers"]) =>
      run(world.callers[who], "select arrange_stories($1, $2)", [world.memoryId, ids]);
    await arrange("viewer");
    await arrange("stranger");
    await expect(arrange("contributor")).rejects.toThrow("Only managers");
    await arrange("co-owner");
    const { rows } = await db.query("select id from stories where id = any ($1) order by position", [ids]);
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  test("stays, without a name, when its author's account is deleted", async () => {
    const id = await tell();
    await db.query("delete from auth.users where id = $1", [world.people.contributor]);
    const { rows } = await db.query(
      "select user_id, name from stories join story_credits on story_id = id where id = $1",
      [id],
    );
    expect(rows).toEqual([{ user_id: null, name: "" }]);
  });
});

describe("an entry", () => {
  const add = (columns: string, values: string) =>
    run(world.callers.owner, `insert into memory_entries (memory_id, title, ${columns}) values ($1, 'x', ${values})`, [
      world.memoryId,
    ]);

  test("can have a photo of its own memory only", async () => {
    await add("media_id", `'${world.objectId}'`);
    await expect(add("media_id", `'${world.bobsObjectId}'`)).rejects.toMatchObject(refused);
    const text = "update memory_entries set media_id = $2 where id = $1";
    await expect(run(world.callers.owner, text, [world.entryId, world.bobsObjectId])).rejects.toMatchObject(refused);
  });

  test.each([
    ["on_date", "'1931-03-12'", true],
    ["on_date", "'1931-03'", true],
    ["on_date", "'1931-21~'", true],
    ["on_date", "'1931'", true],
    ["on_date", "'1931-02-29'", false],
    ["on_date", "'0044-03-15 BC'", false],
    ["starts_at", "'23:30'", true],
  ])("with %s of %s is kept: %s", async (columns, values, expected) => {
    const added = add(columns, values);
    await (expected ? expect(added).resolves.toEqual([]) : expect(added).rejects.toMatchObject({ code: "23514" }));
  });
});
