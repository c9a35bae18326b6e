import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
let ada: Person;
let bob: Person;

beforeEach(async () => {
  await emptyDatabase(server.db);
  [ada, bob] = await Promise.all([signUp(server, "Ada"), signUp(server, "Bob")]);
  await givePlan(server.db, ada.id);
});

const makeMemory = async (person: Person, more: object = {}) => {
  const { data, error } = await person.client
    .from("memories")
    .insert({ person_name: "Grandmother", ...more })
    .select()
    .single();
  if (error) throw error;
  return data;
};

/** Inserts an object like the storage does for a received picture. */
const addPhoto = async (person: Person, memoryId: string) => {
  const id = randomUUID();
  await server.db.query(
    `insert into storage.objects (id, bucket_id, name, owner, version, metadata)
     values ($1, 'media', $2, $3, $4, '{"size": 1234, "mimetype": "image/jpeg"}')`,
    [id, `${memoryId}/${id}.jpg`, person.id, randomUUID()],
  );
  return id;
};

describe("a memory", () => {
  test("is visible to its owner, but not to a stranger or a visitor", async () => {
    const memory = await makeMemory(ada, { birth_date: "1930-05-01" });
    expect(memory).toMatchObject({ user_id: ada.id, person_name: "Grandmother", birth_date: "1930-05-01" });
    expect((await ada.client.from("memories").select("id")).data).toEqual([{ id: memory.id }]);
    expect((await bob.client.from("memories").select("id")).data).toEqual([]);
    expect((await server.client().from("memories").select("id")).data).toEqual([]);
  });

  test("Spec §3, §7: carries its media, each with type and size in bytes, as a column and embedded", async () => {
    const memory = await makeMemory(ada);
    await addPhoto(ada, memory.id);
    const { data } = await ada.client.from("memories").select("person_name, media(type,size)").eq("user_id", ada.id);
    expect(data).toEqual([{ person_name: "Grandmother", media: [{ type: "image", size: 1234 }] }]);
    const entries = [{ type: "image", size: 1234 }];
    expect((await ada.client.from("memories").select("media").eq("user_id", ada.id)).data).toEqual([
      { media: entries },
    ]);
    expect((await ada.client.from("memories").select("items:media, media(size)").eq("id", memory.id)).data).toEqual([
      { items: entries, media: [{ size: 1234 }] },
    ]);
    expect((await bob.client.from("memories").select("media")).data).toEqual([]);
    expect((await bob.client.from("media").select("*, memories(person_name)")).data).toEqual([]);
  });

  test("Spec §3: has an HTML description that is sanitised when it is saved", async () => {
    const description = '<p>She <b>sang</b>.</p><script>alert(1)</script><a href="javascript:x" onclick="y">z</a>';
    const memory = await makeMemory(ada, { description });
    expect(memory.description).toBe("<p>She <strong>sang</strong>.</p>z");
    const changed = await ada.client.from("memories").update({ description }).eq("id", memory.id).select("description");
    expect(changed.data).toEqual([{ description: memory.description }]);
  });

  test("is changed and deleted by nobody but its owner", async () => {
    const { id } = await makeMemory(ada);
    expect((await bob.client.from("memories").update({ person_name: "Mine" }).eq("id", id).select()).data).toEqual([]);
    expect((await bob.client.from("memories").delete().eq("id", id).select()).data).toEqual([]);
    expect(await server.client().from("memories").delete().eq("id", id)).toMatchObject({ status: 401 });
    expect((await ada.client.from("memories").delete().eq("id", id).select("id")).data).toEqual([{ id }]);
  });

  test("cannot be given to another person, and its share id cannot be chosen", async () => {
    const { id } = await makeMemory(ada);
    const update = await ada.client.from("memories").update({ user_id: bob.id }).eq("id", id);
    expect(update).toMatchObject({ status: 403, error: { code: "42501" } });
    expect((await ada.client.from("memories").insert({ person_name: "X", share_id: "easy" })).error).toMatchObject({
      code: "PGRST204",
    });
  });

  test("can be saved again under an id that the client chose", async () => {
    const id = randomUUID();
    await ada.client.from("memories").upsert({ id, person_name: "Draft", draft: true }).throwOnError();
    await ada.client.from("memories").upsert({ id, person_name: "Grandmother", draft: false }).throwOnError();
    expect((await ada.client.from("memories").select("person_name, draft")).data).toEqual([
      { person_name: "Grandmother", draft: false },
    ]);
  });
});

describe("the cover", () => {
  test("is chosen by the memory's owner", async () => {
    const memory = await makeMemory(ada);
    const [first, second] = [await addPhoto(ada, memory.id), await addPhoto(ada, memory.id)];
    for (const media_id of [first, second]) await ada.client.rpc("set_cover", { media_id }).throwOnError();
    expect((await ada.client.from("media").select("id").is("is_cover", true)).data).toEqual([{ id: second }]);
  });

  test("is refused to anybody else", async () => {
    const photo = await addPhoto(ada, (await makeMemory(ada)).id);
    expect(await bob.client.rpc("set_cover", { media_id: photo })).toMatchObject({
      status: 404,
      error: { message: "This photo is not in one of your memories." },
    });
    expect(await server.client().rpc("set_cover", { media_id: photo })).toMatchObject({ status: 401 });
  });
});

describe("two people who change a memory at once", () => {
  const makeCoOwner = async (memoryId: string) => {
    await server.db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
      memoryId,
      bob.id,
    ]);
  };

  test("an update that names an older revision is refused, and changes nothing", async () => {
    const { id, revision } = await makeMemory(ada, { birth_date: "1912" });
    await makeCoOwner(id);
    const change = (person: Person, changes: object) =>
      person.client.from("memories").update(changes).eq("id", id).select("birth_date,person_name,revision");
    expect((await change(ada, { birth_date: "1921", revision })).data).toEqual([
      { birth_date: "1921", person_name: "Grandmother", revision: revision + 1 },
    ]);
    expect(await change(bob, { person_name: "Nonna Rosa", revision })).toMatchObject({
      status: 409,
      error: { code: "PT409", hint: "conflict" },
    });
    expect((await change(bob, { person_name: "Nonna Rosa", revision: revision + 1 })).data).toEqual([
      { birth_date: "1921", person_name: "Nonna Rosa", revision: revision + 2 },
    ]);
  });

  test("an update without a revision is applied, and counts for those that name one", async () => {
    const { id, revision } = await makeMemory(ada);
    expect(await ada.client.from("memories").update({ person_name: "Rosa" }).eq("id", id)).toMatchObject({
      status: 204,
    });
    const late = await ada.client.from("memories").update({ birth_date: "1921", revision }).eq("id", id);
    expect(late).toMatchObject({ status: 409, error: { code: "PT409" } });
  });

  test("a stranger does not learn which revision a memory has", async () => {
    const { id } = await makeMemory(ada);
    for (const revision of [1, 2]) {
      expect(await bob.client.from("memories").update({ revision }).eq("id", id).select()).toMatchObject({ data: [] });
    }
  });

  test("a caption of an earlier revision is refused like that of a memory, whoever sends it", async () => {
    const { id } = await makeMemory(ada);
    await makeCoOwner(id);
    const photo = await addPhoto(ada, id);
    const caption = (person: Person, fields: object) => person.client.from("media").update(fields).eq("id", photo);
    expect(await caption(ada, { caption: "At the sea", revision: 1 })).toMatchObject({ status: 204 });
    expect(await caption(bob, { alt_text: "A beach", revision: 1 })).toMatchObject({ status: 409 });
    expect(await caption(bob, { alt_text: "A beach", revision: 2 })).toMatchObject({ status: 204 });
    expect((await ada.client.from("media").select("caption,alt_text,revision").eq("id", photo)).data).toEqual([
      { caption: "At the sea", alt_text: "A beach", revision: 3 },
    ]);
  });
});

test("a link's PIN hash cannot be read, even by its owner", async () => {
  await makeMemory(ada);
  expect((await ada.client.from("share_pins").select("hash")).error).toMatchObject({ code: "42501" });
  expect(
    (await ada.client.from("memories").select("share_links(share_id, has_pin, share_pins(link_id))")).data,
  ).toEqual([{ share_links: [{ share_id: expect.stringMatching(/^\w{22}$/), has_pin: false, share_pins: null }] }]);
});
