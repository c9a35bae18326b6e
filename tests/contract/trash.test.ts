import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeEach, describe, expect, test } from "vitest";
import { purgeTrashJob } from "../../server/jobs/housekeeping.ts";
import { follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { keepSweeping, runOnce } from "../support/jobs.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
keepSweeping(server);
const second = await testServer({}, server);
const { db } = server;

let ada: Owner;
let owner: SupabaseClient;
let name: string;
let id: string;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Nonna Rosa");
  owner = server.client(ada.token);
  name = freshName(ada.memoryId);
  const { data } = await owner.storage.from("media").upload(name, await jpeg(64, 48));
  id = data?.id ?? "";
});

const bucket = () => owner.storage.from("media");
const removePhoto = async () => expect((await bucket().remove([name])).data).toMatchObject([{ name }]);
const removeMemory = () => owner.from("memories").delete().eq("id", ada.memoryId).throwOnError();
const restore = async (kind: string, item: string) =>
  (await owner.rpc("restore_deleted", { items: [{ kind, id: item }] }).throwOnError()).data;

/** The path of the photo's bytes. */
const bytes = async () => {
  const { rows } = await db.query<{ version: string }>("select version from storage.objects where id = $1", [id]);
  return join(server.dataDir, "storage/objects/media", rows[0]?.version ?? "");
};

describe("Spec §4: a deleted photo", () => {
  test("is gone from every URL in every process at once, and back when it is restored", async () => {
    const visit = await open(server, ada.shareId);
    const visitor = server.client(visit.body.token as string);
    const urls: string[] = [];
    for (const client of [owner, visitor]) {
      const signed = await client.storage.from("media").createSignedUrl(name, 600);
      const url = signed.data?.signedUrl ?? "";
      urls.push(url, url.replace("/object/", "/render/image/").concat("&width=320"));
    }
    const all = [...urls, ...urls.map((url) => url.replace(server.url, second.url))];
    const statuses = () => Promise.all(all.map(async (url) => (await fetch(url)).status));
    expect(new Set(await statuses())).toEqual(new Set([200]));
    const { events } = await follow(second.client(visit.body.token as string), { table: "media" });
    await removePhoto();
    expect(new Set((await statuses()).slice(0, urls.length))).toEqual(new Set([404]));
    await expect.poll(async () => new Set(await statuses())).toEqual(new Set([404]));
    expect((await visitor.from("media").select("id")).data).toEqual([]);
    await expect.poll(() => events).toMatchObject([{ eventType: "DELETE", old: { id } }]);

    expect(await restore("media", id)).toMatchObject([{ kind: "media", id }]);
    expect(new Set((await statuses()).slice(0, urls.length))).toEqual(new Set([200]));
    await expect.poll(async () => new Set(await statuses())).toEqual(new Set([200]));
    await expect.poll(() => events.at(-1)).toMatchObject({ eventType: "UPDATE", new: { id, moderation: "shown" } });
  });

  test("loses its bytes when the trash is emptied, and not before", async () => {
    const file = await bytes();
    await removePhoto();
    expect(existsSync(file)).toBe(true);
    expect((await owner.rpc("empty_trash")).data).toBe(1);
    await expect.poll(() => existsSync(file)).toBe(false);
    expect((await db.query("select from media")).rows).toEqual([]);
    expect(await restore("media", id)).toEqual([]);
  });

  test("loses its bytes after 30 days, however many processes purge", async () => {
    const file = await bytes();
    await removePhoto();
    const purge = () => Promise.all([runOnce(purgeTrashJob({ db })), runOnce(purgeTrashJob({ db }))]);
    await db.query("update trash set deleted_at = now() - interval '29 days'");
    await purge();
    expect(existsSync(file)).toBe(true);
    await db.query("update trash set deleted_at = now() - interval '30 days 1 second'");
    await purge();
    await expect.poll(() => existsSync(file)).toBe(false);
    expect((await owner.rpc("deleted_items")).data).toEqual([]);
  });
});

describe("Spec §4: a deleted memory", () => {
  test("has links that answer as revoked, and open again once it is restored", async () => {
    const extra = await owner.from("share_links").insert({ memory_id: ada.memoryId }).select("id, share_id").single();
    await owner.from("share_links").update({ revoked_at: "now" }).eq("id", extra.data?.id).throwOnError();
    const other = await owner.from("share_links").insert({ memory_id: ada.memoryId }).select("share_id").single();
    const shareIds = [ada.shareId, other.data?.share_id as string];
    const tokens = await Promise.all(
      shareIds.map(async (shareId) => (await open(server, shareId)).body.token as string),
    );
    await removeMemory();
    for (const token of tokens) {
      expect((await second.client(token).from("memories").select("id")).data).toEqual([]);
    }
    const revoked = await open(server, extra.data?.share_id);
    expect(revoked).toMatchObject({ status: 410 });
    for (const shareId of shareIds) expect(await open(second, shareId)).toEqual(revoked);
    await restore("memory", ada.memoryId);
    for (const shareId of shareIds) expect((await open(server, shareId)).status).toBe(200);
    expect((await open(server, extra.data?.share_id)).status).toBe(410);
    // Earlier share tokens stay invalid.
    expect(
      (
        await server
          .client(tokens[0] ?? "")
          .from("memories")
          .select("id")
      ).data,
    ).toEqual([]);
  });

  test("disappears from its owner's open pages, and returns when it is restored", async () => {
    const { events } = await follow(second.client(ada.token), { table: "memories" });
    await removeMemory();
    await expect.poll(() => events).toMatchObject([{ eventType: "DELETE", old: { id: ada.memoryId } }]);
    await restore("memory", ada.memoryId);
    await expect
      .poll(() => events.at(-1))
      .toMatchObject({ eventType: "UPDATE", new: { id: ada.memoryId, draft: false } });
  });

  test("closes none but its own links", async () => {
    const bob = await ownerOf(server, "Nonno");
    await removeMemory();
    expect((await open(server, bob.shareId)).status).toBe(200);
  });

  test("loses all of its bytes when it is deleted permanently", async () => {
    const file = await bytes();
    await removeMemory();
    expect(existsSync(file)).toBe(true);
    await owner.rpc("delete_forever", { items: [{ kind: "memory", id: ada.memoryId }] }).throwOnError();
    await expect.poll(() => existsSync(file)).toBe(false);
    expect((await db.query("select from memories where id = $1", [ada.memoryId])).rows).toEqual([]);
    expect((await open(server, ada.shareId)).status).toBe(401);
  });
});

test("Spec §4: a link to a deleted album opens nothing, and its memories stay", async () => {
  const album = await owner.from("albums").insert({ name: "Family" }).select("id").single();
  await owner.rpc("put_in_album", { album_id: album.data?.id, ids: [ada.memoryId] }).throwOnError();
  const link = await owner.from("share_links").insert({ album_id: album.data?.id }).select("share_id").single();
  const visit = await open(server, link.data?.share_id);
  await owner.from("albums").delete().eq("id", album.data?.id).throwOnError();
  expect(
    (
      await server
        .client(visit.body.token as string)
        .from("memories")
        .select("id")
    ).data,
  ).toEqual([]);
  expect((await open(server, link.data?.share_id)).status).toBe(410);
  expect((await owner.from("memories").select("id")).data).toEqual([{ id: ada.memoryId }]);
  await restore("album", album.data?.id);
  const again = await open(server, link.data?.share_id);
  expect(
    (
      await server
        .client(again.body.token as string)
        .from("memories")
        .select("id")
    ).data,
  ).toHaveLength(1);
});
