import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { namesIn } from "../support/named-photos.ts";
import { makeWorld, type Who } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { run, as, photoOf, photo, name, person, namesOn, sees, merge } = namesIn(db, world);

describe("who sees the photo sees the names", () => {
  test.each<[string, Who, boolean]>([
    ["shown", "visitor", true],
    ["shown", "guest", true],
    ["shown", "viewer", true],
    ["shown", "stranger", false],
    ["shown", "nobody", false],
    ["shown", "superseded", false],
    ["hidden", "visitor", false],
    ["hidden", "guest", false],
    ["hidden", "viewer", false],
    ["hidden", "contributor", false],
    ["hidden", "owner", true],
    ["held", "viewer", false],
    ["held", "co-owner", true],
    ["deleted", "viewer", false],
    ["deleted", "contributor", false],
    ["deleted", "owner", false],
  ])("on a photo that is %s, %s sees them: %s", async (moderation, who, expected) => {
    const [id, maria] = [await photo(), await person()];
    await name("owner", [id], maria);
    await db.query("update media set moderation = $2 where id = $1", [id, moderation]);
    expect(await namesOn(who, id)).toEqual(expected ? [maria] : []);
    const isEditor = ["contributor", "co-owner", "owner"].includes(who);
    expect(await sees(who, maria)).toBe(expected || isEditor);
  });

  test("a person who is on no photo that a viewer sees is not in their list, and neither is one in the trash", async () => {
    const [id, maria, anna] = [await photo(), await person(), await person("Anna")];
    expect([await sees("viewer", anna), await sees("visitor", anna), await sees("contributor", anna)]).toEqual([
      false,
      false,
      true,
    ]);
    await name("owner", [id], maria);
    expect(await sees("viewer", maria)).toBe(true);
    await as("owner", "update pictured_people set deleted = true where id = $1", [maria]);
    expect([await sees("viewer", maria), await namesOn("owner", id)]).toEqual([false, []]);
    await as("owner", "update pictured_people set deleted = false where id = $1", [maria]);
    expect([await sees("viewer", maria), await namesOn("viewer", id)]).toEqual([true, [maria]]);
  });
});

describe("who may name", () => {
  test.each<[Who, boolean]>([
    ["nobody", false],
    ["stranger", false],
    ["visitor", false],
    ["superseded", false],
    ["guest", false],
    ["viewer", false],
    ["contributor", true],
    ["co-owner", true],
    ["owner", true],
  ])("%s on a photo of others: %s", async (who, expected) => {
    const [id, maria] = [await photo(), await person()];
    const isNamed = await name(who, [id], maria).then(
      (ids) => ids.length === 1,
      () => false,
    );
    expect(isNamed).toBe(expected);
    expect(await namesOn("owner", id)).toEqual(expected ? [maria] : []);
  });

  test("a guest who may add names on photos of their own, also new people", async () => {
    const own = await photoOf(world.callers.guest);
    const id = randomUUID();
    expect(await name("guest", [own], id, "  Gina's  brother ")).toEqual([own]);
    expect(await as("owner", "select name from pictured_people where id = $1", [id])).toEqual([
      { name: "Gina's brother" },
    ]);
    await expect(name("guest", [world.objectId], id)).rejects.toMatchObject({ code: "42501" });
    expect(await as("guest", "delete from media_names where media_id = $1 returning 1", [world.objectId])).toEqual([]);
    expect(await as("guest", "delete from media_names where media_id = $1 returning 1", [own])).toHaveLength(1);
  });

  test("at a link whose additions are approved, a name on an own photo awaits approval as a caption does", async () => {
    const own = await photoOf(world.callers.guest);
    const ofGuest = world.callers.guest.share as Record<string, unknown>;
    const linkId = ofGuest.link;
    await db.query("update share_links set moderated = true where id = $1", [linkId]);
    await db.query("update media set moderation = 'shown' where id = $1", [own]);
    const [row] = (await db.query<{ version: number }>("select version from share_links where id = $1", [linkId])).rows;
    const share = { ...ofGuest, version: row?.version };
    await run({ ...world.callers.guest, share } as Caller, "select name_people($1, $2, $3, 'X')", [
      world.memoryId,
      [own],
      randomUUID(),
    ]);
    expect((await db.query("select moderation from media where id = $1", [own])).rows).toEqual([
      { moderation: "held" },
    ]);
    await db.query("update share_links set moderated = false where id = $1", [linkId]);
  });

  test("a person of one memory cannot be named on a photo of another", async () => {
    const maria = await person();
    const { callers, bobsObjectId, bobsMemoryId } = world;
    await expect(
      run(callers.stranger, "select name_people($1, $2, $3)", [bobsMemoryId, [bobsObjectId], maria]),
    ).rejects.toMatchObject({ code: "23503" });
    expect(await name("owner", [bobsObjectId], maria)).toEqual([]);
  });
});

test("many photos are named at once, and again without an effect; the answer has what to take back", async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => photo()));
  const id = randomUUID();
  expect(await name("contributor", ids.slice(0, 2), id, "Aunt May")).toHaveLength(2);
  expect((await name("contributor", ids, id, "Aunt May")).toSorted()).toEqual(ids.slice(2).toSorted());
  expect(await name("contributor", ids, id, "Aunt May")).toEqual([]);
  expect((await db.query("select from media_names where person_id = $1", [id])).rows).toHaveLength(12);
  expect((await db.query("select from pictured_people where id = $1", [id])).rows).toHaveLength(1);
});

test("a point is set and moved, and stays when the name is given again without one", async () => {
  const [id, maria] = [await photo(), await person()];
  const at = async (x: number | null, y: number | null) => {
    await as("owner", "select name_people($1, $2, $3, null, $4, $5)", [world.memoryId, [id], maria, x, y]);
    return (await db.query("select x, y from media_names where media_id = $1", [id])).rows[0];
  };
  expect(await at(null, null)).toEqual({ x: null, y: null });
  expect(await at(0.25, 0.5)).toEqual({ x: 0.25, y: 0.5 });
  expect(await at(null, null)).toEqual({ x: 0.25, y: 0.5 });
  expect(await at(0, 1)).toEqual({ x: 0, y: 1 });
});

describe("the database refuses", () => {
  test.each<[string, string, unknown[]]>([
    ["an empty name", "name = $2", ["  \u200b "]],
    ["a name that is too long", "name = $2", ["x".repeat(201)]],
    ["an empty other name", "other_names = $2", [["May", " "]]],
    ["no other name at all among them", "other_names = $2", [[null]]],
    ["an other name that is too long", "other_names = $2", [["x".repeat(201)]]],
    ["too many other names", "other_names = $2", [Array.from({ length: 21 }, (_, n) => `Name ${n}`)]],
    ["the year 0", "born_year = $2", [0]],
    ["a year after 9999", "died_year = $2", [10000]],
    ["a death before the birth", "born_year = $2, died_year = $3", [1950, 1949]],
    ["a merge into itself", "merged_into = $2", ["itself"]],
  ])("%s", async (_what, set, values) => {
    const maria = await person();
    const own = values.map((value) => (value === "itself" ? maria : value));
    await expect(as("owner", `update pictured_people set ${set} where id = $1`, [maria, ...own])).rejects.toMatchObject(
      {
        code: "23514",
      },
    );
  });

  test.each([
    [-0.01, 0.5],
    [0.5, 1.01],
    [0.5, null],
    [null, 0.5],
    [Number.NaN, 0.5],
  ])("a point at %s, %s", async (x, y) => {
    const [id, maria] = [await photo(), await person()];
    const add = "insert into media_names (media_id, person_id, memory_id, x, y) values ($1, $2, $3, $4, $5)";
    await expect(as("owner", add, [id, maria, world.memoryId, x, y])).rejects.toMatchObject({ code: "23514" });
  });

  test("a change over a newer one", async () => {
    const maria = await person();
    const rename = (text: string) =>
      as("owner", "update pictured_people set name = $2, revision = 1 where id = $1", [maria, text]);
    await rename("Mary");
    await expect(rename("Marie")).rejects.toMatchObject({ code: "PT409" });
  });

  test("the hundred and first name on a photo", async () => {
    const id = await photo();
    await db.query(
      `with people as (insert into pictured_people (memory_id, name) select $1, 'P ' || n from generate_series(1, 100) n returning id)
       insert into media_names (media_id, person_id, memory_id) select $2, id, $1 from people`,
      [world.memoryId, id],
    );
    await expect(name("owner", [id], await person())).rejects.toMatchObject({ code: "23514" });
  });
});

describe("merging", () => {
  test("is data: names stay with their entries, viewers see both, and a split restores everything", async () => {
    const [a, b] = [await photo(), await photo()];
    const [may, maria] = [await person("Aunt May"), await person("Maria Rossi")];
    await name("owner", [a, b], may);
    await name("owner", [b], maria);
    expect(await merge("contributor", may, maria)).toHaveLength(1);
    // A photo that gets the name meanwhile keeps it after the split.
    const c = await photo();
    await name("owner", [c], maria);
    expect([await sees("viewer", may), await sees("viewer", maria)]).toEqual([true, true]);
    await merge("contributor", may, null);
    expect([await namesOn("owner", a), await namesOn("owner", c)]).toEqual([[may], [maria]]);
    expect((await namesOn("owner", b)).toSorted()).toEqual([may, maria].toSorted());
  });

  test("shows the entry that names are shown under to everybody who sees a photo of a merged one", async () => {
    const [id, may, maria, rosa] = [await photo(), await person(), await person(), await person()];
    await name("owner", [id], may);
    await merge("owner", may, maria);
    await merge("owner", maria, rosa);
    expect(await Promise.all([may, maria, rosa].map((one) => sees("visitor", one)))).toEqual([true, true, true]);
    await merge("owner", maria, null);
    expect(await sees("visitor", rosa)).toBe(false);
  });

  test("by two people at once never makes a circle", async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = [await person(), await person(), await person()];
      await Promise.allSettled([merge("owner", a, b), merge("co-owner", b, c), merge("contributor", c, a)]);
      const { rows } = await db.query<{ many: number }>(
        "select count(*)::int as many from pictured_people where id = any ($1) and merged_into is null",
        [[a, b, c]],
      );
      expect(rows[0]?.many).toBeGreaterThan(0);
    }
    const [a, b] = [await person(), await person()];
    await merge("owner", a, b);
    await expect(merge("owner", b, a)).rejects.toMatchObject({ code: "23514" });
  });

  test("into a deleted person, or one of another memory, is refused; a viewer and a guest cannot merge", async () => {
    const [a, b] = [await person(), await person()];
    expect(await merge("viewer", a, b)).toEqual([]);
    await expect(merge("guest", a, b)).rejects.toMatchObject({ code: "42501" });
    await as("owner", "update pictured_people set deleted = true where id = $1", [b]);
    await expect(merge("owner", a, b)).rejects.toMatchObject({ code: "23514" });
    const foreign = randomUUID();
    await run(world.callers.stranger, "insert into pictured_people (id, memory_id, name) values ($1, $2, 'Bob')", [
      foreign,
      world.bobsMemoryId,
    ]);
    await expect(merge("owner", a, foreign)).rejects.toMatchObject({ code: "23503" });
  });

  test("entries that are merged into a person go to the trash and come back with it", async () => {
    const [id, may, maria] = [await photo(), await person(), await person()];
    await name("owner", [id], may);
    await merge("owner", may, maria);
    const trash = (deleted: boolean) =>
      as("owner", "update pictured_people set deleted = $2 where id = $1", [maria, deleted]);
    await trash(true);
    expect(await namesOn("owner", id)).toEqual([]);
    await trash(false);
    expect(await namesOn("owner", id)).toEqual([may]);
  });
});

test("a name that is given while the person is being deleted is refused or hidden, never left shown", async () => {
  for (let round = 0; round < 5; round++) {
    const [id, maria] = [await photo(), await person()];
    await Promise.allSettled([
      name("contributor", [id], maria),
      as("owner", "update pictured_people set deleted = true where id = $1", [maria]),
    ]);
    expect(await namesOn("owner", id)).toEqual([]);
  }
});

test("after thirty days a deleted person is gone with the names, and not before", async () => {
  const [id, maria, anna] = [await photo(), await person(), await person("Anna")];
  await name("owner", [id], maria);
  await db.query("update pictured_people set deleted = true where id = any ($1)", [[maria, anna]]);
  await db.query("alter table pictured_people disable trigger t05_type_person");
  await db.query("update pictured_people set deleted_at = now() - interval '31 days' where id = $1", [maria]);
  await db.query("alter table pictured_people enable trigger t05_type_person");
  await db.query("select private.purge_people()");
  const { rows } = await db.query("select id from pictured_people where id = any ($1)", [[maria, anna]]);
  expect(rows).toEqual([{ id: anna }]);
  expect((await db.query("select from media_names where person_id = $1", [maria])).rows).toEqual([]);
});

test("a photo that moves to another memory keeps its names there, and finds them again when it returns", async () => {
  const [id, other] = [await photo(), await photo()];
  const [maria, anna] = [await person("Nonna Maria"), await person("Nonna Maria")];
  await name("owner", [id, other], maria);
  await name("owner", [id], anna);
  const target = world.draftId;
  const move = (mediaId: string, memory: string) =>
    db.query("update storage.objects set name = $2 || '/' || id || '.jpg' where id = $1", [mediaId, memory]);
  await move(id, target);
  await move(other, target);
  const { rows } = await db.query<{ id: string; many: number }>(
    `select p.id, count(n.media_id)::int as many from pictured_people p join media_names n on n.person_id = p.id
     where p.memory_id = $1 and p.name = 'Nonna Maria' group by p.id order by 2 desc`,
    [target],
  );
  // Two people of one name stay two.
  expect(rows.map(({ many }) => many)).toEqual([2, 1]);
  await move(id, world.memoryId);
  expect((await namesOn("owner", id)).toSorted()).toEqual([maria, anna].toSorted());
});

test("a person's own memory is seen by those who see both, and only an editor who sees it can link it", async () => {
  const [id, maria] = [await photo(), await person()];
  await name("owner", [id], maria);
  const link = (who: Who, memory: string) =>
    as(who, "insert into pictured_identities (person_id, memory_id) values ($1, $2)", [maria, memory]);
  await expect(link("viewer", world.memoryId)).rejects.toMatchObject({ code: "42501" });
  await expect(link("owner", world.bobsMemoryId)).rejects.toMatchObject({ code: "42501" });
  await link("owner", world.draftId);
  const read = async (who: Who) =>
    (await as(who, "select from pictured_identities where person_id = $1", [maria])).length;
  expect([await read("owner"), await read("viewer"), await read("contributor"), await read("visitor")]).toEqual([
    1, 0, 0, 0,
  ]);
});
