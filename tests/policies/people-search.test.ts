import { describe, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { namesIn } from "../support/named-photos.ts";
import { makeWorld, type Who } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { as, photo, name, person, merge } = namesIn(db, world);

describe("the search", () => {
  const find = async (who: Who, text: string) =>
    (await as(who, "select kind, id, title, place from search($1, memory => $2)", [text, world.memoryId])).filter(
      ({ kind }) => kind === "person" || kind === "photo",
    );
  const resultsOf = async (who: Who, text: string) =>
    (await find(who, text)).map(({ kind, id }) => `${kind} ${id}`).sort();

  test("finds a person by any name, and their photos, for those who see one", async () => {
    const [id, other, maria] = [await photo(), await photo(), await person("Zia Ermenegilda")];
    expect(await resultsOf("owner", "ermenegilda")).toEqual([]);
    await name("owner", [id, other], maria);
    await as("owner", "update pictured_people set other_names = '{Gilda of the mill}' where id = $1", [maria]);
    const all = [`person ${maria}`, `photo ${id}`, `photo ${other}`].sort();
    for (const text of ["ermenegilda", "ermenegild", "ermenegidla", "gilda mill"]) {
      expect(await resultsOf("visitor", text), text).toEqual(all);
    }
    expect((await find("visitor", "ermenegilda")).find((one) => one.id === id)?.place).toBe("Zia Ermenegilda");
    expect(await resultsOf("stranger", "ermenegilda")).toEqual([]);
    await db.query("update media set moderation = 'hidden' where id = any ($1)", [[id, other]]);
    for (const who of ["visitor", "viewer", "owner"] as const)
      expect(await resultsOf(who, "ermenegilda"), who).toEqual([]);
    await db.query("update media set moderation = 'shown' where id = $1", [id]);
    expect(await resultsOf("viewer", "ermenegilda")).toEqual([`person ${maria}`, `photo ${id}`].sort());
    await as("owner", "update pictured_people set deleted = true where id = $1", [maria]);
    expect(await resultsOf("owner", "ermenegilda")).toEqual([]);
    await as("owner", "update pictured_people set deleted = false, name = 'Clotilde' where id = $1", [maria]);
    expect([await resultsOf("owner", "ermenegilda"), await resultsOf("owner", "clotilde")]).toEqual([
      [],
      [`person ${maria}`, `photo ${id}`].sort(),
    ]);
    await as("owner", "delete from media_names where media_id = $1", [id]);
    expect(await resultsOf("owner", "clotilde")).toEqual([]);
  });

  test("follows merges and splits, and tells no name that only hidden photos have", async () => {
    const [id, hidden] = [await photo(), await photo()];
    const [anna, annetta] = [await person("Annunziata"), await person("Pasqualina")];
    await name("owner", [id], anna);
    await name("owner", [hidden], annetta);
    await merge("owner", annetta, anna);
    expect(await resultsOf("viewer", "pasqualina")).toEqual([`person ${anna}`, `photo ${hidden}`].sort());
    expect(await resultsOf("viewer", "annunziata")).toEqual(
      [`person ${anna}`, `photo ${hidden}`, `photo ${id}`].sort(),
    );
    await db.query("update media set moderation = 'hidden' where id = $1", [hidden]);
    expect(await resultsOf("viewer", "pasqualina")).toEqual([]);
    expect(await resultsOf("viewer", "annunziata")).toEqual([`person ${anna}`, `photo ${id}`].sort());
    await db.query("update media set moderation = 'shown' where id = $1", [hidden]);
    await merge("owner", annetta, null);
    expect(await resultsOf("viewer", "pasqualina")).toEqual([`person ${annetta}`, `photo ${hidden}`].sort());
    expect(await resultsOf("viewer", "annunziata")).toEqual([`person ${anna}`, `photo ${id}`].sort());
  });
});
