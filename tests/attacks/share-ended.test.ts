import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";

const server = await testServer();
const second = await testServer({}, server);

let photo: Buffer;
beforeAll(async () => {
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
});

let ada: Owner;
let owner: SupabaseClient;
let name: string;
beforeEach(async () => {
  await emptyDatabase(server.db);
  ada = await ownerOf(server, "Grandmother");
  owner = server.client(ada.token);
  name = `${ada.memoryId}/${randomUUID()}.jpg`;
  const { error } = await owner.storage.from("media").upload(name, photo, { contentType: "image/jpeg" });
  expect(error).toBeNull();
});

const setPin = async (pin: string | null) => {
  const { error } = await owner.functions.invoke("share-pin", { body: { linkId: ada.linkId, pin } });
  expect(error).toBeNull();
};

/**
 * Opens a share. Resolves to everything it gives: the memory, its photo by bearer token, and URLs with their own token.
 */
async function open(pin?: string) {
  const { data, error } = await server.client().functions.invoke("open-share", { body: { shareId: ada.shareId, pin } });
  expect(error).toBeNull();
  const visitor = server.client(data.token);
  const signed = await visitor.storage.from("media").createSignedUrl(name, 3600);
  const url = signed.data?.signedUrl ?? "";
  const address = new URL(url);
  const picture = `${server.url}/storage/v1/render/image/sign/media/${name}?${address.searchParams}&width=320`;
  return { token: data.token as string, visitor, url, picture };
}

/** Returns the kinds of access that still work, through both processes. */
async function stillOpen({ visitor, url, picture }: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const ways: [string, () => Promise<boolean>][] = [
    ["the memory", async () => ((await visitor.from("memories").select("id")).data ?? []).length > 0],
    ["its photos' rows", async () => ((await visitor.from("media").select("id")).data ?? []).length > 0],
    ["a photo by bearer", async () => (await visitor.storage.from("media").download(name)).error === null],
    ["a photo's address", async () => (await fetch(url)).ok],
    ["a photo's address elsewhere", async () => (await fetch(url.replace(server.url, second.url))).ok],
    ["the rest of a photo under way", async () => (await fetch(url, { headers: { range: "bytes=9-" } })).ok],
    ["a smaller picture's address", async () => (await fetch(picture)).ok],
  ];
  const open = await Promise.all(ways.map(async ([way, tried]) => ((await tried()) ? way : "")));
  return open.filter(Boolean);
}

describe("Spec §4: open access ends when the PIN or the memory changes", () => {
  test.each<[string, string | undefined, string | null]>([
    ["set", undefined, "0417"],
    ["updated", "0417", "0418"],
    ["set again to the same", "0417", "0417"],
    ["removed", "0417", null],
  ])("when the PIN is %s: rows, photos and their URLs", async (_how, before, after) => {
    if (before) await setPin(before);
    const share = await open(before);
    expect(await stillOpen(share)).toHaveLength(7);
    await setPin(after);
    expect(await stillOpen(share)).toEqual([]);
    expect((await owner.from("memories").select("id")).data).toHaveLength(1);
  });

  test("when the memory becomes a draft again", async () => {
    const share = await open();
    expect((await owner.from("memories").update({ draft: true }).eq("id", ada.memoryId)).error).toBeNull();
    expect(await stillOpen(share)).toEqual([]);
  });
});

describe("Spec §4: access by a link ends when the link changes, and open pages are notified", () => {
  const update = (changes: object) => owner.from("share_links").update(changes).eq("id", extra);
  let extra: string;
  beforeEach(async () => {
    const made = await owner.from("share_links").insert({ memory_id: ada.memoryId }).select("id, share_id").single();
    extra = made.data?.id;
    ada = { ...ada, shareId: made.data?.share_id };
  });

  test.each<[string, () => PromiseLike<{ error: unknown }>]>([
    ["revoked", () => update({ revoked_at: "now" })],
    ["given other rights", () => update({ rights: "upload" })],
    ["given another end", () => update({ expires_at: "2999-01-01" })],
    ["made anew", () => owner.rpc("remake_link", { link_id: extra })],
    ["deleted", () => owner.from("share_links").delete().eq("id", extra)],
    ["withdrawn with its memory", () => owner.from("memories").update({ draft: true }).eq("id", ada.memoryId)],
    ["in the trash with its memory", () => owner.from("memories").delete().eq("id", ada.memoryId)],
  ])("when it is %s", async (how, change) => {
    const share = await open();
    // The visitor is connected to one process, and the change is made through the other.
    const filter = `link_id=eq.${extra}`;
    const { events } = await follow(second.client(share.token), { table: "link_versions", filter });
    expect(await stillOpen(share)).toHaveLength(7);
    expect((await change()).error).toBeNull();
    expect(await stillOpen(share)).toEqual([]);
    await expect
      .poll(() => events.map(({ eventType }) => eventType))
      .toEqual([/deleted/.test(how) ? "DELETE" : "UPDATE"]);
    expect(await openVersions(share.token)).toEqual(/deleted/.test(how) ? [] : [{ link_id: extra, version: 2 }]);
  });

  test("when the memory leaves the album that the link opens", async () => {
    const album = await owner.from("albums").insert({ name: "Family" }).select("id").single();
    const file = (album_id: string | null) => owner.from("memories").update({ album_id }).eq("id", ada.memoryId);
    await file(album.data?.id);
    const made = await owner.from("share_links").insert({ album_id: album.data?.id }).select("id, share_id").single();
    ada = { ...ada, shareId: made.data?.share_id };
    const share = await open();
    expect(await stillOpen(share)).toHaveLength(7);
    await file(null);
    expect(await stillOpen(share)).toEqual([]);
    expect(await openVersions(share.token)).toEqual([{ link_id: made.data?.id, version: 2 }]);
  });

  test.each<object>([{ shows_names: false }, { moderated: true }])(
    "a change to %j closes nothing, and open pages are notified",
    async (changes) => {
      const share = await open();
      const { events } = await follow(second.client(share.token), {
        table: "link_versions",
        filter: `link_id=eq.${extra}`,
      });
      await update(changes);
      await expect.poll(() => events.map(({ new: row }) => row)).toMatchObject([{ version: 1, ...changes }]);
      expect(await stillOpen(share)).toHaveLength(7);
    },
  );

  test("a changed label closes nothing and notifies no visitor", async () => {
    const share = await open();
    const { events } = await follow(second.client(share.token), { table: "link_versions" });
    await update({ label: "For the choir" });
    expect(await stillOpen(share)).toHaveLength(7);
    expect(await openVersions(share.token)).toEqual([{ link_id: extra, version: 1 }]);
    await update({ moderated: true });
    await expect.poll(() => events.map(({ new: row }) => row)).toMatchObject([{ version: 1, moderated: true }]);
  });

  test("a visitor reads the version of their own link only, and is not notified of another link's changes", async () => {
    const share = await open();
    const { events } = await follow(second.client(share.token), { table: "link_versions" });
    expect((await owner.from("share_links").update({ rights: "upload" }).eq("id", ada.linkId)).error).toBeNull();
    await update({ moderated: true });
    await expect.poll(() => events.map(({ new: row }) => row)).toMatchObject([{ link_id: extra, moderated: true }]);
    expect(await openVersions(ada.token)).toEqual([]);
    expect(await openVersions(share.token)).toHaveLength(1);
    expect((await server.db.query("select link_id from link_versions")).rows).toHaveLength(2);
  });

  const openVersions = async (token: string) =>
    (await server.client(token).from("link_versions").select("link_id, version").throwOnError()).data;
});
