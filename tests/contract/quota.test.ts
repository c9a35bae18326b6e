import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { emptyDatabase } from "../support/database.ts";
import { givePlan, usageOf } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg, resumable, uploadResumably } from "../support/uploads.ts";

const server = await testServer();
const { db, url } = server;
const GB = 1024 ** 3;

let ada: Owner;
let photo: Buffer;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.query("delete from storage.uploads");
  ada = await ownerOf(server, "Nonna Rosa");
  photo = Buffer.concat([await jpeg(), randomBytes(20_000)]);
});

const mediaOf = (who: { token: string }) => server.client(who.token).storage.from("media");
const use = (account = ada.userId) => usageOf(db, account);

/** Fills the account's storage except for `bytesLeft` bytes, with videos of up to a gigabyte whose bytes are never read. */
const fillBut = (bytesLeft: number, { memoryId, userId } = ada, room = GB) =>
  db.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     select 'media', $1 || '/' || gen_random_uuid() || '.mp4', $2::uuid, $2, gen_random_uuid()::text,
       jsonb_build_object('mimetype', 'video/mp4', 'size', least($3::bigint - n, ${GB}))
     from generate_series(0, $3::bigint - 1, ${GB}) n`,
    [memoryId, userId, room - bytesLeft],
  );

const plainly = async (bytes: Buffer | Blob = photo, who = ada) => {
  const { error } = await mediaOf(who).upload(freshName(ada.memoryId), bytes);
  return error;
};
const resumably = (bytes = photo, who = ada) => {
  const target = { url, token: who.token, name: freshName(ada.memoryId), bytes };
  return uploadResumably(target).then(
    () => null,
    (error) => ({ status: error.originalResponse.getStatus(), body: error.originalResponse.getBody() }),
  );
};
/** Begins an upload of the photo and sends its first bytes. Resolves to its URL. */
async function begin(): Promise<string> {
  const target = { url, token: ada.token, name: freshName(ada.memoryId), bytes: photo };
  const { upload, done } = resumable(target, { chunkSize: 1000 });
  await Promise.race([
    done,
    new Promise<void>((resolve) => {
      upload.options.onChunkComplete = () => void upload.abort().then(resolve);
      upload.start();
    }),
  ]);
  return upload.url ?? "";
}

describe("Spec §9: storage", () => {
  test("holds exactly what the plan says, and not one byte more", async () => {
    await fillBut(photo.length);
    // Sent as a form, whose own bytes do not count.
    expect(await plainly(new Blob([new Uint8Array(photo)]))).toBeNull();
    expect((await use()).stored).toBe(GB);
    const refused = await fetch(`${url}/storage/v1/object/media/${freshName(ada.memoryId)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "image/jpeg" },
      body: new Uint8Array(await jpeg(1, 1)),
    });
    expect([refused.status, await refused.json()]).toEqual([
      507,
      { statusCode: "507", error: "storage_full", message: "There is not enough room left for this file" },
    ]);
    expect(await resumably(await jpeg(1, 1))).toEqual({
      status: 507,
      body: "storage_full: There is not enough room left for this file",
    });
    expect((await use()).stored).toBe(GB);
  });

  test("cannot be exceeded by fifty uploads at once, resumable and plain", async () => {
    await fillBut(7 * photo.length + photo.length - 1);
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? plainly() : resumably())));
    const stored = outcomes.filter((outcome) => outcome === null).length;
    for (const refusal of outcomes.filter((outcome) => outcome !== null)) expect(refusal.status).toBe(507);
    // A failed upload releases the storage that it reserved, so another attempt fills the rest.
    expect(stored).toBeLessThanOrEqual(7);
    for (let i = stored; i < 7; i++) expect(await plainly()).toBeNull();
    expect(await plainly()).toMatchObject({ status: 507 });
    expect(await use()).toEqual({ stored: GB - photo.length + 1, held: 0 });
  });

  test("is reserved for a resumable upload from its beginning, and counted once when it ends", async () => {
    await fillBut(2 * photo.length - 1);
    const at = await begin();
    expect(await use()).toEqual({ stored: GB - 2 * photo.length + 1, held: photo.length });
    expect(await plainly()).toMatchObject({ status: 507 });
    const target = { url, token: ada.token, name: "", bytes: photo };
    await uploadResumably(target, { uploadUrl: at });
    expect(await use()).toEqual({ stored: GB - photo.length + 1, held: 0 });
  });

  test("is reserved once for an upload that begins again after a lost response", async () => {
    await fillBut(photo.length);
    const target = { url, token: ada.token, name: freshName(ada.memoryId), bytes: photo };
    const lost = resumable(target).upload;
    await new Promise<void>((resolve) => {
      lost.options.onUploadUrlAvailable = () => void lost.abort().then(resolve);
      lost.start();
    });
    expect((await use()).held).toBe(photo.length);
    await uploadResumably(target);
    expect(await use()).toEqual({ stored: GB, held: 0 });
  });

  test("is released when an upload is cancelled, expires or loses its memory", async () => {
    await fillBut(photo.length);
    const headers = { authorization: `Bearer ${ada.token}`, "tus-resumable": "1.0.0" };
    await fetch(await begin(), { method: "DELETE", headers });
    expect((await use()).held).toBe(0);

    await begin();
    expect(await resumably()).toMatchObject({ status: 507 });
    await db.query("update storage.uploads set created_at = now() - interval '25 hours'");
    expect(await resumably()).toBeNull();
    expect((await use()).held).toBe(0);

    await givePlan(db, ada.userId);
    await begin();
    await asCaller(db, ada.caller, (tx) => tx.query("delete from memories where id = $1", [ada.memoryId]));
    expect((await use()).held).toBe(0);
    await asCaller(db, ada.caller, (tx) => tx.query("select empty_trash()"));
    expect(await use()).toEqual({ stored: 0, held: 0 });
  });

  test("is free again once the trash is emptied, and not before, so that restoring needs none", async () => {
    await fillBut(photo.length);
    const name = freshName(ada.memoryId);
    await mediaOf(ada).upload(name, photo);
    expect(await plainly()).toMatchObject({ status: 507 });
    const remove = async () => (await mediaOf(ada).remove([name])).data?.[0]?.id;
    const id = await remove();
    expect(await plainly()).toMatchObject({ status: 507 });
    const restored = await server.client(ada.token).rpc("restore_deleted", { items: [{ kind: "media", id }] });
    expect(restored.data).toMatchObject([{ kind: "media", id }]);
    await remove();
    expect(await plainly()).toMatchObject({ status: 507 });
    await server.client(ada.token).rpc("empty_trash").throwOnError();
    expect(await plainly()).toBeNull();
  });

  test("is counted for the memory's owner, whoever adds to it", async () => {
    const bob = await ownerOf(server, "Another");
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'contributor')", [
      ada.memoryId,
      bob.userId,
    ]);
    await fillBut(photo.length);
    expect(await plainly(photo, bob)).toBeNull();
    expect([(await use()).stored, (await use(bob.userId)).stored]).toEqual([GB, 0]);
    expect(await plainly(photo, bob)).toMatchObject({ status: 507 });
    expect(await resumably(photo, bob)).toMatchObject({ status: 507 });
  });

  test("follows a memory to its new owner, whose plan must allow another memory", async () => {
    const bob = await ownerOf(server, "Another");
    await plainly();
    const give = () => db.query("update memories set user_id = $1 where id = $2", [bob.userId, ada.memoryId]);
    await expect(give()).rejects.toMatchObject({ code: "PT402" });
    await givePlan(db, bob.userId);
    await give();
    expect([(await use()).stored, (await use(bob.userId)).stored]).toEqual([0, photo.length]);
  });
});

describe("Spec §9: memories", () => {
  const add = (caller: Caller, draft = false) =>
    asCaller(db, caller, (tx) => tx.query("insert into memories (person_name, draft) values ('Another', $1)", [draft]));

  test("of the free plan are limited to one, drafts included, however many are created at once", async () => {
    const fresh: Caller = { role: "authenticated", sub: randomUUID() };
    await db.query("insert into auth.users (id, email) values ($1, 'fresh@example.com')", [fresh.sub]);
    const made = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => add(fresh, i % 2 === 0)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const client = server.client(ada.token);
    const { error, status } = await client.from("memories").insert({ person_name: "One more" });
    expect([status, error?.code, error?.hint]).toEqual([402, "PT402", "memory_limit"]);
    // Saving the existing memory again, under the id that its page chose, adds none.
    const again = await client.from("memories").upsert({ id: ada.memoryId, person_name: "Nonna" });
    expect(again.error).toBeNull();
  });

  test("of a paid plan are unlimited", async () => {
    await givePlan(db, ada.userId);
    await Promise.all(Array.from({ length: 5 }, () => add(ada.caller)));
    const { rows } = await db.query("select from memories where user_id = $1", [ada.userId]);
    expect(rows).toHaveLength(6);
  });
});

test("Spec §4: a lapsed plan deletes nothing and allows no additions", async () => {
  await givePlan(db, ada.userId);
  await asCaller(db, ada.caller, (tx) => tx.query("insert into memories (person_name) values ('Another')"));
  const name = freshName(ada.memoryId);
  await mediaOf(ada).upload(name, photo);
  await fillBut(10 * GB, ada, 100 * GB);
  const underWay = await begin();

  await db.query("update user_subscriptions set expires_at = now(), starts_at = now() - interval '1 year'");
  const visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
  for (const token of [ada.token, visitor]) {
    expect((await server.client(token).storage.from("media").download(name)).error).toBeNull();
    expect((await server.client(token).from("memories").select("id").eq("id", ada.memoryId)).data).toHaveLength(1);
  }
  const renamed = await server
    .client(ada.token)
    .from("memories")
    .update({ person_name: "Rosa" })
    .eq("id", ada.memoryId)
    .select("id");
  expect(renamed.data).toHaveLength(1);
  expect(await plainly()).toMatchObject({ status: 507 });
  expect(await resumably()).toMatchObject({ status: 507 });
  const finishing = uploadResumably({ url, token: ada.token, name: "", bytes: photo }, { uploadUrl: underWay });
  await expect(finishing).rejects.toThrow("507");
  const added = await server.client(ada.token).from("memories").insert({ person_name: "One more" });
  expect(added.error?.hint).toBe("memory_limit");

  expect((await mediaOf(ada).remove([name])).data).toHaveLength(1);
  await givePlan(db, ada.userId);
  expect(await plainly()).toBeNull();
});

test("Spec §3: storage stats cover the caller's own memories and no others", async () => {
  await givePlan(db, ada.userId);
  const bob = await ownerOf(server, "Another");
  await fillBut(GB / 2, bob);
  await mediaOf(ada).upload(freshName(ada.memoryId), photo, { metadata: { filename: "Sea.jpg" } });
  await fillBut(GB / 4);
  const { data } = await server.client(ada.token).rpc("storage_stats");
  const bytes = (GB * 3) / 4 + photo.length;
  expect(data).toMatchObject({
    totalSize: bytes,
    imageCount: 1,
    videoCount: 1,
    usagePercentage: 0.75,
    maxStorage: 100 * GB,
    largest: [{ size: (GB * 3) / 4 }, { size: photo.length, file_name: "Sea.jpg", memory_name: "Nonna Rosa" }],
  });
  expect((await server.client(ada.token).rpc("storage_use")).data).toEqual({
    totalSize: bytes,
    usagePercentage: 0.75,
    maxStorage: 100 * GB,
  });
  expect((await server.client(ada.token).rpc("storage_by_memory")).data).toEqual([
    { memory_id: ada.memoryId, name: "Nonna Rosa", bytes, items: 2 },
  ]);
  for (const about of ["storage_stats", "storage_use", "storage_by_memory"]) {
    expect((await server.client().rpc(about)).error?.code).toBe("42501");
  }
});
