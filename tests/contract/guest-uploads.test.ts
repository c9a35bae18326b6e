import { randomBytes, randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { guestOf } from "../support/guests.ts";
import { usageOf } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { newRow, open, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg, resumable } from "../support/uploads.ts";

const server = await testServer();
const { db } = server;
const GB = 1024 ** 3;

test("two simultaneous uploads by one guest do not deadlock", async () => {
  const ada = await ownerOf(server, "Grandmother");
  const link = { memory_id: ada.memoryId, rights: "contribute" };
  const data = await newRow(server.client(ada.token), "share_links", link, "share_id");
  const gina = await guestOf(server, data.share_id);
  const caller = decodeJwt(gina.token) as unknown as Caller;
  const add = () =>
    asCaller(db, caller, (tx) =>
      tx.query("insert into storage.objects (bucket_id, name, version, metadata) values ('media', $1, $2, $3)", [
        freshName(ada.memoryId),
        randomUUID(),
        { mimetype: "image/jpeg", size: 1000 },
      ]),
    );
  const waiting = async () =>
    (
      await db.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rows[0]?.n;
  // Both uploads hold all their other locks when the guest's row becomes free.
  const adding = await db.transaction(async (tx) => {
    await tx.query("select from guests where id = $1 for no key update", [gina.id]);
    const both = [add(), add()];
    for (const one of both) one.catch(() => {});
    await expect.poll(waiting).toBe(2);
    return both;
  });
  expect((await Promise.allSettled(adding)).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
});

/** A link of a new memory, and a guest whose browser has sent the first bytes of a photo. */
async function guestWhoUploads() {
  const ada = await ownerOf(server, "Grandmother");
  const owner = server.client(ada.token);
  const link = await newRow(owner, "share_links", { memory_id: ada.memoryId, rights: "contribute" }, "id", "share_id");
  const gina = await guestOf(server, link.share_id);
  const bytes = Buffer.concat([await jpeg(), randomBytes(60_000)]);
  const name = freshName(ada.memoryId);
  const target = { url: server.url, token: gina.token, name, bytes };
  const { upload } = resumable(target, { chunkSize: 20_000 });
  await new Promise<void>((resolve) => {
    upload.options.onChunkComplete = () => void upload.abort().then(resolve);
    upload.start();
  });
  const address = upload.url ?? "";
  const sendRest = (token: string, from = 20_000) =>
    fetch(address, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${token}`,
        "tus-resumable": "1.0.0",
        "upload-offset": String(from),
        "content-type": "application/offset+octet-stream",
      },
      body: bytes.subarray(from),
    });
  const received = (token: string) =>
    fetch(address, { method: "HEAD", headers: { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0" } }).then(
      ({ headers }) => Number(headers.get("upload-offset")),
    );
  const revoke = () => owner.from("share_links").update({ revoked_at: "now" }).eq("id", link.id).throwOnError();
  return { ada, owner, link, gina, bytes, name, address, sendRest, received, revoke };
}

test("an upload goes on where it stopped after another guest was blocked, with the guest's new token", async () => {
  const { ada, owner, link, gina, bytes, name, sendRest, received } = await guestWhoUploads();
  const other = await guestOf(server, link.share_id);
  await owner.rpc("block_person", { memory_id: ada.memoryId, guest: other.id }).throwOnError();
  expect((await sendRest(gina.token)).status).toBe(403);

  const again = await open(server, link.share_id);
  const { body } = await post(server, "open-share", { shareId: link.share_id, guestKey: gina.key });
  const token = String(body.token);
  expect(await received(token)).toBe(20_000);
  // Another guest with a valid token learns nothing of it.
  expect((await sendRest(String(again.body.token))).status).toBe(404);
  expect((await sendRest(token)).status).toBe(204);
  const { data } = await owner.storage.from("media").download(name);
  expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(bytes)).toBe(true);
});

type Uploading = Awaited<ReturnType<typeof guestWhoUploads>>;
const ENDINGS: [string, (uploading: Uploading) => PromiseLike<unknown>][] = [
  ["the link is revoked", ({ revoke }) => revoke()],
  [
    "the guest is blocked",
    ({ ada, owner, gina }) => owner.rpc("block_person", { memory_id: ada.memoryId, guest: gina.id }).throwOnError(),
  ],
];

test.each(ENDINGS)("an upload stops while its bytes arrive once %s", async (_what, end) => {
  const uploading = await guestWhoUploads();
  const { gina, address, bytes } = uploading;
  const request = httpRequest(address, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${gina.token}`,
      "tus-resumable": "1.0.0",
      "upload-offset": "20000",
      "content-type": "application/offset+octet-stream",
      "content-length": String(bytes.length - 20_000),
    },
  });
  const broken = new Promise((resolve) => request.once("error", resolve));
  await new Promise((resolve) => request.write(bytes.subarray(20_000, 30_000), resolve));
  await expect.poll(server.files.activeUploads.any).toBe(true);
  await end(uploading);
  await expect(broken).resolves.toMatchObject({ code: "ECONNRESET" });
  expect((await uploading.sendRest(gina.token)).status).toBe(403);
});

test("an upload in one request stops while its bytes arrive once its link is revoked", async () => {
  const { ada, gina, revoke } = await guestWhoUploads();
  const request = httpRequest(`${server.url}/storage/v1/object/media/${freshName(ada.memoryId)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gina.token}`, "content-type": "image/jpeg", "content-length": "100000" },
  });
  const broken = new Promise((resolve) => request.once("error", resolve));
  await new Promise((resolve) => request.write(randomBytes(1000), resolve));
  await expect.poll(server.files.activeUploads.any).toBe(true);
  await revoke();
  await expect(broken).resolves.toMatchObject({ code: "ECONNRESET" });
});

/** Fills the owner's storage, so that nothing fits beside what the guest's upload reserves. */
async function fill({ ada, bytes }: Uploading) {
  const { stored } = await usageOf(db, ada.userId);
  await db.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     values ('media', $1, $2::uuid, $2, gen_random_uuid()::text, jsonb_build_object('mimetype', 'video/mp4', 'size', $3::bigint))`,
    [freshName(ada.memoryId, "mp4"), ada.userId, GB - stored - bytes.length],
  );
}

test("storage reserved for an idle upload is free for others who need it, and reserved again when the upload goes on", async () => {
  const uploading = await guestWhoUploads();
  const { ada, owner, gina, sendRest } = uploading;
  await fill(uploading);
  const photos = owner.storage.from("media");
  const name = freshName(ada.memoryId);
  const photo = Buffer.concat([await jpeg(), randomBytes(30_000)]);
  expect((await photos.upload(name, photo)).error).toMatchObject({ statusCode: "507" });

  await db.query("update storage.uploads set active_at = now() - interval '31 minutes' where account = $1", [
    ada.userId,
  ]);
  expect((await photos.upload(name, photo)).error).toBeNull();
  expect((await usageOf(db, ada.userId)).held).toBe(0);
  // There is no room for the guest's photo until something is deleted for good.
  expect((await sendRest(gina.token)).status).toBe(507);
  await db.query("delete from storage.objects where name = $1", [name]);
  expect((await sendRest(gina.token)).status).toBe(204);
  expect(await usageOf(db, ada.userId)).toMatchObject({ stored: GB, held: 0 });
});

test.each(ENDINGS)("storage reserved for an upload is free at once when %s", async (_what, end) => {
  const uploading = await guestWhoUploads();
  const { ada, owner } = uploading;
  await fill(uploading);
  const add = async () => (await owner.storage.from("media").upload(freshName(ada.memoryId), await jpeg())).error;
  expect(await add()).toMatchObject({ statusCode: "507" });
  await end(uploading);
  expect(await add()).toBeNull();
});
