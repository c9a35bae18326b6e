import { beforeEach, describe, expect, test, vi } from "vitest";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
let ada: Owner;
let photo: { id: string; name: string };
let key: string;

const owner = () => server.client(ada.token);
const open = () => post(server, "open-letter", { key });
const holder = async () => server.client(String((await open()).body.token));
const urlFor = async (client: Awaited<ReturnType<typeof holder>>) =>
  (await client.storage.from("media").createSignedUrl(photo.name, 60)).data?.signedUrl ?? "";
const rendition = (url: string) => fetch(`${url.replace("/object/sign/", "/render/image/sign/")}&width=320`);
const ask = async (client = owner()) =>
  (
    await client
      .rpc("ask_about_photos", {
        letter_id: crypto.randomUUID(),
        memory_id: ada.memoryId,
        media_ids: [photo.id],
        recipient: "Aunt May",
        note: "",
      })
      .single<string>()
      .throwOnError()
  ).data;

beforeEach(async () => {
  ada = await ownerOf(server, "Rosa Bellini");
  const name = freshName(ada.memoryId);
  await owner()
    .storage.from("media")
    .upload(name, await jpeg());
  const { rows } = await server.db.query<{ id: string }>(
    "update media set state = 'ready' where object_name = $1 returning id",
    [name],
  );
  photo = { id: rows[0]?.id ?? "", name };
  key = await ask();
});

test("Spec §6: the link of a letter opens renditions of its photos, and neither originals nor anything else", async () => {
  const client = await holder();
  const { data } = await client.rpc("letter_contents").throwOnError();
  expect(data).toMatchObject({ memory: "Rosa Bellini", recipient: "Aunt May", photos: [{ object_name: photo.name }] });
  const url = await urlFor(client);
  expect((await rendition(url)).status).toBe(200);
  for (const address of [url, `${url}&download=photo.jpg`]) expect((await fetch(address)).status).toBe(403);
  expect((await client.storage.from("media").download(photo.name)).error).not.toBeNull();
  for (const table of [
    "memories",
    "media",
    "stories",
    "comments",
    "guests",
    "media_details",
    "share_links",
    "photo_answers",
  ])
    expect([table, (await client.from(table).select()).data ?? []]).toEqual([table, []]);
  const denied = [
    client.from("comments").insert({ memory_id: ada.memoryId, body: "X" }),
    client.from("photo_letters").select("recipient"),
    client.from("photo_letters").update({ withdrawn_at: null }),
    client.rpc("renew_letter", { letter_id: photo.id }),
    client.storage.from("media").upload(freshName(ada.memoryId), await jpeg()),
    client.functions.invoke("prepare-download", { body: { memoryId: ada.memoryId } }),
  ];
  for (const { error } of await Promise.all(denied)) expect(error).not.toBeNull();
});

describe.each([
  [
    "is withdrawn",
    () => owner().from("photo_letters").update({ withdrawn_at: "now" }).eq("memory_id", ada.memoryId),
    410,
  ],
  [
    "gets a new link",
    async () => {
      const { data } = await owner().from("photo_letters").select("id").single().throwOnError();
      await owner().rpc("renew_letter", { letter_id: data.id }).throwOnError();
    },
    410,
  ],
  ["belongs to a deleted memory", () => owner().from("memories").delete().eq("id", ada.memoryId), 410],
  [
    "was asked by an account that is suspended now",
    () => server.db.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [ada.userId]),
    410,
  ],
  [
    "lost its photo to moderation",
    () => server.db.query("update media set moderation = 'hidden' where id = $1", [photo.id]),
    200,
  ],
] as const)("once a letter %s", (_case, end, status) => {
  test("its pictures are gone at once, and its page is told", async () => {
    const client = await holder();
    const url = await urlFor(client);
    expect((await rendition(url)).status).toBe(200);
    const heard: string[] = [];
    const channel = client.channel("letter");
    channel.on("postgres_changes", { event: "UPDATE", schema: "public", table: "photo_letters" }, (change) =>
      heard.push(change.table),
    );
    await client.realtime.setAuth();
    await new Promise<void>((resolve) => channel.subscribe((state) => state === "SUBSCRIBED" && resolve()));
    await end();
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), { timeout: 180_000, interval: 20 });
    await vi.waitFor(async () => expect((await rendition(url)).ok).toBe(false), { timeout: 180_000, interval: 50 });
    expect((await open()).status).toBe(status);
    const answer = { media_id: photo.id, who: "Rosa", taken: "", place: "" };
    expect((await client.rpc("answer_photo", answer)).error).not.toBeNull();
    await client.removeAllChannels();
  });
});

test("an unknown key is answered like that of an ended letter, and a key of another form is refused", async () => {
  const unknown = await post(server, "open-letter", { key: "0".repeat(64) });
  await owner().from("photo_letters").update({ withdrawn_at: "now" }).eq("memory_id", ada.memoryId).throwOnError();
  expect(await open()).toEqual(unknown);
  expect(unknown.body).toMatchObject({ code: "letter_ended" });
  for (const body of [{}, [], { key: "x".repeat(64) }, { key: "0".repeat(65) }, { key: 1 }])
    expect((await post(server, "open-letter", body)).status).toBe(400);
});

test("a letter of one memory tells its holder nothing about another one", async () => {
  const bob = await signUp(server, "Bob");
  const client = await holder();
  for (const caller of [bob.client, client])
    expect(
      (await caller.rpc("answer_photo", { media_id: crypto.randomUUID(), who: "X", taken: "", place: "" })).error,
    ).not.toBeNull();
  await expect(ask(bob.client as never)).rejects.toMatchObject({ hint: "not_found" });
});
