import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { newRow, type Owner, ownerOf } from "../support/sharing.ts";

const server = await testServer();
const { db } = server;

let ada: Owner;
let bob: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Nonna Rosa");
  bob = await ownerOf(server, "Another");
  await givePlan(db, ada.userId);
});

const as = (owner: Owner) => server.client(owner.token);
async function memory(name: string) {
  const data = await newRow(as(ada), "memories", { person_name: name });
  return String(data.id);
}
async function album(owner: Owner, name: string, position = 0) {
  const data = await newRow(as(owner), "albums", { name, position });
  return String(data.id);
}
const put = (owner: Owner, albumId: string | null, ids: string[]) =>
  as(owner).rpc("put_in_album", { album_id: albumId, ids });
const inside = async (albumId: string) => {
  const { data } = await as(ada).from("memories").select("person_name").eq("album_id", albumId).order("album_position");
  return data?.map(({ person_name }) => person_name);
};

describe("Spec §3: a memory is in one album or in none", () => {
  test("it is added at the end of its new album, and leaves the previous one", async () => {
    const [family, summer] = [await album(ada, "Family"), await album(ada, "Summer")];
    const lake = await memory("The lake");
    await put(ada, family, [ada.memoryId]).throwOnError();
    await put(ada, family, [lake]).throwOnError();
    expect(await inside(family)).toEqual(["Nonna Rosa", "The lake"]);
    await put(ada, summer, [ada.memoryId]).throwOnError();
    expect([await inside(family), await inside(summer)]).toEqual([["The lake"], ["Nonna Rosa"]]);
    await put(ada, null, [lake]).throwOnError();
    expect(await inside(family)).toEqual([]);
  });

  test("it stays when its shared album is deleted", async () => {
    const family = await album(ada, "Family");
    const lake = await memory("The lake");
    await put(ada, family, [ada.memoryId, lake]).throwOnError();
    await as(ada).from("share_links").insert({ album_id: family }).throwOnError();
    await as(ada).from("albums").delete().eq("id", family).throwOnError();
    const { data } = await as(ada).from("memories").select("id, album_id").order("created_at");
    expect(data).toEqual([ada.memoryId, lake].map((id) => ({ id, album_id: null })));
  });

  test("albums, their memories and their share links are deleted with the owner's account", async () => {
    const family = await album(ada, "Family");
    await put(ada, family, [ada.memoryId, await memory("The lake")]).throwOnError();
    await as(ada).from("share_links").insert({ album_id: family }).throwOnError();
    await db.query("delete from auth.users where id = $1", [ada.userId]);
    const { rows } = await db.query(
      `select (select count(*) from albums)::integer as albums, (select count(*) from memories)::integer as memories,
         (select count(*) from share_links where album_id is not null)::integer as links`,
    );
    // The other person's memory stays.
    expect(rows).toEqual([{ albums: 0, memories: 1, links: 0 }]);
  });
});

test("albums, and the memories in an album, keep their owner's order", async () => {
  const [family, summer] = [await album(ada, "Family", 1), await album(ada, "Summer", 2)];
  await as(ada)
    .rpc("arrange_albums", { ids: [summer, family] })
    .throwOnError();
  const { data } = await as(ada).from("albums").select("name").order("position");
  expect(data).toEqual([{ name: "Summer" }, { name: "Family" }]);
  const lake = await memory("The lake");
  await put(ada, family, [ada.memoryId, lake]).throwOnError();
  await as(ada)
    .rpc("arrange_album", { album_id: family, ids: [lake, ada.memoryId] })
    .throwOnError();
  expect(await inside(family)).toEqual(["The lake", "Nonna Rosa"]);
});

test("arranging only some items puts them first and keeps the order of the others", async () => {
  // All have the same position, as before anybody has arranged them.
  const albums = [];
  for (const name of ["A", "B", "C", "D"]) albums.push(await album(ada, name));
  const [a = "", b = ""] = albums;
  await as(ada)
    .rpc("arrange_albums", { ids: [b, a] })
    .throwOnError();
  const { data } = await as(ada).from("albums").select("name").order("position").order("created_at").order("id");
  expect(data?.map(({ name }) => name)).toEqual(["B", "A", "C", "D"]);

  const names = ["One", "Two", "Three", "Four"];
  const memories = [];
  for (const name of names) memories.push(await memory(name));
  await put(ada, a, memories).throwOnError();
  await as(ada)
    .rpc("arrange_album", { album_id: a, ids: [memories[1], memories[0]] })
    .throwOnError();
  expect(await inside(a)).toEqual(["Two", "One", "Three", "Four"]);
  // A person cannot arrange the albums of another person.
  await as(bob).rpc("arrange_album", { album_id: a, ids: memories }).throwOnError();
  await as(bob).rpc("arrange_albums", { ids: albums }).throwOnError();
  expect(await inside(a)).toEqual(["Two", "One", "Three", "Four"]);
});

describe("another person", () => {
  test("cannot move a memory, and nobody can put one into someone else's album", async () => {
    const family = await album(ada, "Family");
    const bobs = await album(bob, "Bob's");
    expect((await put(bob, bobs, [ada.memoryId])).error).toBeNull();
    expect((await put(ada, bobs, [ada.memoryId])).error).toMatchObject({ code: "23503" });
    expect((await put(bob, family, [bob.memoryId])).error).toMatchObject({ code: "23503" });
    expect(await inside(family)).toEqual([]);
    const { data } = await as(ada).from("memories").select("album_id");
    expect(data).toEqual([{ album_id: null }]);
  });

  test("cannot arrange albums or the memories in them, not even as a co-owner", async () => {
    const [family, summer] = [await album(ada, "Family", 1), await album(ada, "Summer", 2)];
    const lake = await memory("The lake");
    await put(ada, family, [ada.memoryId, lake]).throwOnError();
    for (const id of [ada.memoryId, lake]) {
      await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
        id,
        bob.userId,
      ]);
    }
    await as(bob).rpc("arrange_albums", { ids: [summer, family] });
    await as(bob).rpc("arrange_album", { album_id: family, ids: [lake, ada.memoryId] });
    await put(bob, null, [ada.memoryId]);
    expect(await inside(family)).toEqual(["Nonna Rosa", "The lake"]);
    const { data } = await as(ada).from("albums").select("name").order("position");
    expect(data).toEqual([{ name: "Family" }, { name: "Summer" }]);
    const changed = await as(bob).from("memories").update({ album_id: null }).eq("id", ada.memoryId);
    expect(changed.error).toMatchObject({ code: "42501" });
  });
});
