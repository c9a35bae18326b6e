import { beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { makeOrder, settle } from "../support/orders.ts";
import { testServer } from "../support/server.ts";
import { newRow, type Owner, open, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
const { db } = server;
const MEMORIES = { name: "Skies Memories", max_memories: null, storage_gb: 100, term_years: 1 };
let ada: Owner;
let photo: string;

const as = (who: { token: string }) => server.client(who.token);
const mediaOf = (who: { token: string }) => as(who).storage.from("media");

/** Pays for a year that began this long ago. */
async function buy(ago: string) {
  const user = { id: ada.userId, email: "ada@example.com" };
  const order = await makeOrder(db, { user, plans: [{ plan: "skies-memories", amount: 4500, terms: MEMORIES }] });
  const { rows } = await db.query<{ at: Date }>("select now() - $1::interval as at", [ago]);
  await settle(db, order, "paid", { at: rows[0]?.at ?? new Date() });
}

beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders");
  ada = await ownerOf(server, "Nonna Rosa");
  await buy("11 months");
  await as(ada).from("memories").insert({ person_name: "Nonno Piero" }).throwOnError();
  photo = freshName(ada.memoryId);
  expect((await mediaOf(ada).upload(photo, await jpeg())).error).toBeNull();
  // One video that exceeds the free plan's storage; its bytes are never read.
  await db.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     values ('media', $1, $2::uuid, $2, gen_random_uuid()::text, '{"mimetype": "video/mp4", "size": 5000000000}')`,
    [`${ada.memoryId}/${crypto.randomUUID()}.mp4`, ada.userId],
  );
  // Two months pass. The trigger is disabled because the time of a payment cannot change otherwise.
  await db.exec(`
    alter table orders disable trigger validate_order;
    update orders set paid_at = paid_at - interval '2 months';
    alter table orders enable trigger validate_order;
  `);
  await db.query("select private.recalculate_subscriptions($1)", [ada.userId]);
});

test("promise 6: when a plan lapses nothing is deleted and no page closes", async () => {
  const counted = "select (select count(*) from memories) as memories, (select count(*) from media) as media";
  expect((await db.query(counted)).rows).toEqual([{ memories: 2, media: 2 }]);
  expect((await as(ada).from("memories").select("id")).data).toHaveLength(2);
  expect((await mediaOf(ada).download(photo)).error).toBeNull();

  const opened = await open(server, ada.shareId);
  expect(opened.status).toBe(200);
  const visitor = { token: String(opened.body.token) };
  expect((await as(visitor).from("memories").select("person_name").eq("id", ada.memoryId)).data).toHaveLength(1);
  expect((await mediaOf(visitor).download(photo)).error).toBeNull();
});

test("promise 6: everything stays shareable, changeable, downloadable and deletable", async () => {
  const link = await newRow(
    as(ada),
    "share_links",
    { memory_id: ada.memoryId, label: "For the cousins" },
    "id",
    "share_id",
  );
  const bearer = { authorization: `Bearer ${ada.token}` };
  expect((await post(server, "share-pin", { linkId: link.id, pin: "0417" }, bearer)).status).toBe(200);
  expect((await open(server, link.share_id, "0417")).status).toBe(200);
  await as(ada).from("memories").update({ person_name: "Rosa Bellini" }).eq("id", ada.memoryId).throwOnError();
  await as(ada).from("stories").insert({ memory_id: ada.memoryId, body: "<p>She sang.</p>" }).throwOnError();
  const { data: remaining } = await as(ada).from("media").select("id").eq("object_name", photo).single().throwOnError();
  const download = await post(server, "prepare-download", { mediaIds: [remaining.id] }, bearer);
  expect(["ready", "preparing"]).toContain(download.body.state);
  expect((await mediaOf(ada).remove([photo])).data).toHaveLength(1);
  await as(ada).from("memories").delete().eq("id", ada.memoryId).throwOnError();
  expect((await as(ada).from("memories").select("id")).data).toHaveLength(1);
});

test("promise 6: nothing new can be added past the free limits, and paying lifts that at once", async () => {
  const addPhoto = async () => (await mediaOf(ada).upload(freshName(ada.memoryId), await jpeg())).error;
  const addMemory = async () => (await as(ada).from("memories").insert({ person_name: "Zia Lina" })).error;
  expect(await addPhoto()).toMatchObject({ status: 507 });
  expect(await addMemory()).toMatchObject({ hint: "memory_limit" });
  await buy("0 days");
  expect(await addPhoto()).toBeNull();
  expect(await addMemory()).toBeNull();
});
