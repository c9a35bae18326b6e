import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
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

/** Everything an opened share gives: the memory, its photo by bearer, and addresses that carry their own key. */
async function open(pin?: string) {
  const { data, error } = await server.client().functions.invoke("open-share", { body: { shareId: ada.shareId, pin } });
  expect(error).toBeNull();
  const visitor = server.client(data.token);
  const signed = await visitor.storage.from("media").createSignedUrl(name, 3600);
  const url = signed.data?.signedUrl ?? "";
  const address = new URL(url);
  const picture = `${server.url}/storage/v1/render/image/sign/media/${name}?${address.searchParams}&width=320`;
  return { visitor, url, picture };
}

/** What still opens, through both processes. */
async function stillOpen({ visitor, url, picture }: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const ways: [string, () => Promise<boolean>][] = [
    ["the memory", async () => ((await visitor.from("memories").select("id")).data ?? []).length > 0],
    ["its photos' rows", async () => ((await visitor.from("media").select("id")).data ?? []).length > 0],
    ["a photo by bearer", async () => (await visitor.storage.from("media").download(name)).error === null],
    ["a photo's address", async () => (await fetch(url)).ok],
    ["a photo's address elsewhere", async () => (await fetch(url.replace(server.url, second.url))).ok],
    ["a smaller picture's address", async () => (await fetch(picture)).ok],
  ];
  const open = await Promise.all(ways.map(async ([way, tried]) => ((await tried()) ? way : "")));
  return open.filter(Boolean);
}

describe("Spec §4: what a PIN opened ends within a second", () => {
  test.each<[string, string | undefined, string | null]>([
    ["set", undefined, "0417"],
    ["updated", "0417", "0418"],
    ["set again to the same", "0417", "0417"],
    ["removed", "0417", null],
  ])("when it is %s: rows, photos and their addresses", async (_how, before, after) => {
    if (before) await setPin(before);
    const share = await open(before);
    expect(await stillOpen(share)).toHaveLength(6);
    await setPin(after);
    const changed = Date.now();
    expect(await stillOpen(share)).toEqual([]);
    expect(Date.now() - changed).toBeLessThan(1000);
    expect((await owner.from("memories").select("id")).data).toHaveLength(1);
  });

  test("when the memory becomes a draft again", async () => {
    const share = await open();
    expect((await owner.from("memories").update({ draft: true }).eq("id", ada.memoryId)).error).toBeNull();
    expect(await stillOpen(share)).toEqual([]);
  });
});
