import { beforeEach, describe, expect, test, vi } from "vitest";
import { readWallContents, readWallHead, readWallSettings } from "../../web/data/wall.queries.ts";
import { testServer } from "../support/server.ts";
import { newRow, type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
let ada: Owner;
let wall: { id: string; wall_id: string };
let photo: string;

const owner = () => server.client(ada.token);
const open = () => post(server, "open-wall", { wallId: wall.wall_id });
const screen = async () => server.client(String((await open()).body.token));
const urlFor = async (client: Awaited<ReturnType<typeof screen>>) =>
  (await client.storage.from("media").createSignedUrl(photo, 60)).data?.signedUrl ?? "";
const rendition = (url: string) => fetch(`${url.replace("/object/sign/", "/render/image/sign/")}&width=320`);

beforeEach(async () => {
  ada = await ownerOf(server, "Rosa e Ugo");
  await owner().from("memories").update({ kind: "event" }).eq("id", ada.memoryId).throwOnError();
  photo = freshName(ada.memoryId);
  await owner()
    .storage.from("media")
    .upload(photo, await jpeg());
  await server.db.query("update media set state = 'ready' where object_name = $1", [photo]);
  const link = await newRow(owner(), "share_links", { memory_id: ada.memoryId, rights: "upload" }, "id");
  wall = await newRow(owner(), "walls", { memory_id: ada.memoryId, link_id: link.id }, "id", "wall_id");
});

test("a screen reads what its wall shows, sees pictures, and downloads and writes nothing", async () => {
  const client = await screen();
  const settings = await readWallSettings(client, wall.id);
  expect(await readWallHead(client)).toMatchObject({ name: "Rosa e Ugo", kind: "event", ends_at: null });
  await owner().from("comments").insert({ memory_id: ada.memoryId, body: "So happy" }).throwOnError();
  await server.db.query("insert into media_credits select id, memory_id, 'Ada' from media where object_name = $1", [
    photo,
  ]);
  await server.db.query("insert into comment_credits select id, memory_id, 'Ada' from comments where memory_id = $1", [
    ada.memoryId,
  ]);
  const { pictures, comments } = await readWallContents(client, settings);
  expect(pictures).toMatchObject([{ object_name: photo, credit: { name: "Ada" } }]);
  expect(comments).toMatchObject([{ body: "So happy", credit: { name: "Ada" } }]);

  const url = await urlFor(client);
  expect((await rendition(url)).status).toBe(200);
  // Only viewing: neither the original nor a copy to keep.
  for (const address of [url, `${url}&download=photo.jpg`]) expect((await fetch(address)).status).toBe(403);
  expect((await client.storage.from("media").download(photo)).error).not.toBeNull();
  for (const table of ["memories", "stories", "guests", "media_details", "share_links", "memory_members"])
    expect((await client.from(table).select()).data ?? []).toEqual([]);
  const denied = [
    client.from("comments").insert({ memory_id: ada.memoryId, body: "X" }),
    client.from("reactions").insert({ memory_id: ada.memoryId, kind: "heart" }),
    client.from("walls").update({ layout: "mosaic" }).eq("id", wall.id),
    client.from("walls").select("wall_id"),
    client.storage.from("media").upload(freshName(ada.memoryId), await jpeg()),
    client.functions.invoke("sign-guest", {
      body: { guestKey: "k".repeat(43), name: "X", language: "en", timeZone: "UTC" },
    }),
    client.functions.invoke("prepare-download", { body: { memoryId: ada.memoryId } }),
  ];
  for (const { error } of await Promise.all(denied)) expect(error).not.toBeNull();
  await client.from("media").update({ caption: "X" }).eq("object_name", photo);
  const { data } = await owner().from("media").select("caption").eq("object_name", photo).single().throwOnError();
  expect(data.caption).toBe("");
  for (const name of ["search", "memory_people", "memory_rights"]) {
    const args = name === "search" ? { find: "happy", in_memory: ada.memoryId } : { memory_id: ada.memoryId };
    expect(JSON.stringify((await client.rpc(name, args)).data ?? [])).not.toContain("happy");
  }
});

describe.each([
  ["is turned off", () => owner().from("walls").update({ revoked_at: "now" }).eq("id", wall.id), 404],
  ["gets a new address", () => owner().rpc("remake_wall", { wall: wall.id }), 404],
  ["belongs to a deleted memory", () => owner().from("memories").delete().eq("id", ada.memoryId), 404],
  ["shows no pictures any more", () => owner().from("walls").update({ shows_pictures: false }).eq("id", wall.id), 200],
  [
    "lost its picture to moderation",
    () => server.db.query("update media set moderation = 'hidden' where object_name = $1", [photo]),
    200,
  ],
] as const)("once a wall %s", (_case, end, status) => {
  test("its pictures are gone at once, and its screen is told", async () => {
    const client = await screen();
    const url = await urlFor(client);
    expect((await rendition(url)).status).toBe(200);
    const heard: string[] = [];
    const channel = client.channel("wall");
    for (const table of ["walls", "memory_withdrawals"])
      channel.on("postgres_changes", { event: "*", schema: "public", table }, (change) => heard.push(change.table));
    await client.realtime.setAuth();
    await new Promise<void>((resolve) => channel.subscribe((state) => state === "SUBSCRIBED" && resolve()));
    await end();
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), { timeout: 180_000, interval: 20 });
    await vi.waitFor(async () => expect((await rendition(url)).ok).toBe(false), { timeout: 180_000, interval: 50 });
    expect((await open()).status).toBe(status);
    expect((await client.from("media").select("id")).data ?? []).toEqual([]);
    await client.removeAllChannels();
  });
});

test("unknown walls, walls that are off and wrong bodies", async () => {
  const unknown = await post(server, "open-wall", { wallId: "0123456789abcdefghijkl" });
  await owner().from("walls").update({ revoked_at: "now" }).eq("id", wall.id).throwOnError();
  expect(await open()).toEqual(unknown);
  expect(unknown.body).toMatchObject({ code: "wall_off" });
  for (const body of [{}, [], { wallId: "x".repeat(65) }, { wallId: 1 }])
    expect((await post(server, "open-wall", body)).status).toBe(400);
});
