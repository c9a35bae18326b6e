import { beforeAll, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { photoWithMetadata } from "../support/photo-with-metadata.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow, open, post, shareFirstLink } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer();
const { db } = server;
const FILE_NAME = "Ward 7 after the fall.jpg";
const TAKEN = "2024-07-14T16:05:09";
/** The time that no visitor may learn. It includes the day, because a row may also be created at five past four. */
const TIME = /2024-07-1[45][T ]16/;
let ada: Person;
let bob: Person;
let carla: Person;
let memoryId: string;
let photo: { id: string; object_name: string };
/** The share id of the first link, which has no PIN; and the link with a PIN, by which Bob came. */
let first: string;
let withPin: { id: string; share_id: string };
/** The share token of Bob, signed in, for the link with the PIN. */
let token: string;

beforeAll(async () => {
  await emptyDatabase(db);
  [ada, bob, carla] = await Promise.all([
    signUpWithPlan(server, "Ada"),
    signUp(server, "Bob"),
    signUp(server, "Carla"),
  ]);
  const made = await newMemory(ada.client, { person_name: "Nonna" });
  memoryId = made.id;
  first = made.share_id;
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [
    memoryId,
    carla.id,
  ]);
  const row = { memory_id: memoryId, shows_names: false };
  withPin = await newRow(ada.client, "share_links", row, "id", "share_id");
  const bearer = (person: Person) => ({ authorization: `Bearer ${person.token}` });
  await post(server, "share-pin", { linkId: withPin.id, pin: "0417" }, bearer(ada));
  const opened = await post(server, "open-share", { shareId: withPin.share_id, pin: "0417" }, bearer(bob));
  token = String(opened.body.token);

  const name = `${memoryId}/${crypto.randomUUID()}.jpg`;
  const metadata = { filename: FILE_NAME, taken: TAKEN };
  const upload = await ada.client.storage.from("media").upload(name, await photoWithMetadata(), { metadata });
  expect(upload.error).toBeNull();
  await db.query("update media set state = 'ready'");
  photo = (await ada.client.from("media").select("id,object_name").single().throwOnError()).data;
});

describe("the id of a link", () => {
  test("is a column of the memory for a manager", async () => {
    const { data } = await ada.client.from("memories").select("share_id, share_links(is_first)").eq("share_id", first);
    expect(data).toEqual([{ share_id: first, share_links: expect.arrayContaining([{ is_first: true }]) }]);
  });

  test("cannot be read by a signed-in visitor or a viewer, by any request", async () => {
    for (const who of [server.client(token), carla.client]) {
      const answers = await Promise.all([
        who.from("memories").select("*"),
        who.from("memories").select("share_id"),
        who.from("memories").select("*, share_links(*)"),
        who.from("memories").select("id, media(*, media_details(*), memories(share_id))"),
        who.from("memories").select("share_id").order("share_id"),
        who.from("memories").update({ person_name: "Mine" }).eq("id", memoryId).select("share_id"),
        who.from("share_links").select("*"),
        who.from("share_openings").select("*, share_links(*)"),
        who.from("link_versions").select("*, share_links(*)"),
        who.rpc("share_id", { memory: { id: memoryId } }),
        who.rpc("share_id", { "": { id: memoryId } }),
        who.rpc("link_openings", { link_id: withPin.id }),
        who.rpc("remake_link", { link_id: withPin.id }),
        post(server, "my-data", {}, { authorization: `Bearer ${bob.token}` }),
        post(server, "my-data", {}, { authorization: `Bearer ${carla.token}` }),
      ]);
      const text = JSON.stringify(answers);
      expect(text).toContain("Nonna");
      for (const id of [first, withPin.share_id]) expect(text).not.toContain(id);
      // A filter does not reveal how an id begins or sorts either.
      for (const filter of [`${first.slice(0, 1)}*`, "*"]) {
        expect((await who.from("memories").select("id").like("share_id", filter)).data ?? []).toEqual([]);
      }
    }
  });

  test("of a first link opens nothing until the link is shared", async () => {
    expect(await open(server, first)).toEqual(await open(server, "ThereIsNothingHere1234"));
    await shareFirstLink(ada.client, memoryId);
    expect((await open(server, first)).status).toBe(200);
  });
});

describe("a photo", () => {
  const contentHash = async () => {
    const { rows } = await db.query<{ content_hash: string }>("select content_hash from media_details");
    expect(rows[0]?.content_hash).toMatch(/^[0-9a-f]{64}$/);
    return rows[0]?.content_hash ?? "";
  };

  test("shows visitors and viewers no file name, time, hash or author, in rows, files and archives", async () => {
    for (const bearer of [token, carla.token]) {
      const who = server.client(bearer);
      const bucket = who.storage.from("media");
      const answers: unknown[] = await Promise.all([
        who.from("media").select("*, media_details(*)"),
        who.from("media").select("user_id,guest_id,file_name,content_hash,taken_source"),
        who.from("memories").select("id, media(*, media_details(*))"),
        who.from("media_details").select("*"),
        bucket.list(memoryId),
        bucket.info(photo.object_name),
      ]);
      const text = JSON.stringify(answers);
      expect(text).toContain(photo.id);
      for (const secret of ["Ward 7", await contentHash()]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(TIME);
      const [row] = (await who.from("media").select("*")).data ?? [];
      expect(Object.keys(row)).not.toContain("user_id");
      expect(row).toMatchObject({ taken_at: "2024-07-14", type: "image", size: expect.any(Number) });
      for (const [column, value] of [
        ["file_name", FILE_NAME],
        ["user_id", ada.id],
        ["taken_at", TAKEN],
      ] as const) {
        expect((await who.from("media").select("id").eq(column, value)).data).toEqual([]);
      }
      const { body } = await post(server, "prepare-download", { memoryId }, { authorization: `Bearer ${bearer}` });
      const zip = Buffer.from(await (await fetch(String(body.url))).arrayBuffer());
      expect((await unzip(zip))[0]?.path).toBe("Nonna/2024-07-14 photo.webp");
      expect(zip.includes("Ward 7")).toBe(false);
    }
    const { data } = await ada.client
      .from("media")
      .select("file_name,details:media_details(taken_at,user_id)")
      .single();
    expect(data).toEqual({ file_name: FILE_NAME, details: { taken_at: TAKEN, user_id: ada.id } });
  });

  test("sends them no file name, time, hash, MIME type or author in events either", async () => {
    const listen = async (bearer: string) => {
      const socket = await openSocket(server, "2.0.0");
      const everything = { event: "*", schema: "public" };
      await socket.join({ access_token: bearer, config: { postgres_changes: [everything] } });
      await socket.heard("system");
      return socket;
    };
    const [visitor, viewer, owner] = await Promise.all([token, carla.token, ada.token].map(listen));
    await ada.client.rpc("set_media_dates", { ids: [photo.id], dates: ["2024-07-15T16:05:09"] }).throwOnError();
    await ada.client.from("memories").update({ person_name: "Granny" }).eq("id", memoryId).throwOnError();
    const heard = async (socket: typeof visitor) => {
      const events: { data: { table: string } }[] = [];
      do events.push((await socket?.heard("postgres_changes")) as { data: { table: string } });
      while (events.at(-1)?.data.table !== "memories");
      socket?.close();
      return events;
    };
    for (const socket of [visitor, viewer]) {
      const events = await heard(socket);
      expect(events.map(({ data }) => data.table)).toEqual(["media", "memories"]);
      for (const secret of [FILE_NAME, first, withPin.share_id, await contentHash(), "image/jpeg"]) {
        expect(JSON.stringify(events)).not.toContain(secret);
      }
      expect(JSON.stringify(events)).not.toMatch(TIME);
      expect(JSON.stringify(events[0])).not.toContain(ada.id);
    }
    const ownerResponse = JSON.stringify(await heard(owner));
    for (const detail of ["2024-07-15T16:05:09", await contentHash(), "image/jpeg"])
      expect(ownerResponse).toContain(detail);
  });
});
