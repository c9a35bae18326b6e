import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { drawIcons } from "../../scripts/setup/icons.ts";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUpWithPlan } from "../support/people.ts";
import { photoWithMetadata } from "../support/photo-with-metadata.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow, post } from "../support/sharing.ts";

const webFolder = await mkdtemp(join(tmpdir(), "skies-web-"));
await writeFile(join(webFolder, "index.html"), "<!doctype html><html><head></head><body>The app</body></html>");
await writeFile(
  join(webFolder, "favicon.svg"),
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="18" fill="#7fd6cb"/><circle cx="32" cy="40" r="11" fill="#fff"/><path d="M0 48h64v16H0z" fill="#125"/></svg>',
);
await drawIcons(webFolder);
const server = await testServer({}, undefined, { webFolder });
const UNKNOWN = "ThereIsNothingHere1234";
const NAME = "Nonna Rosa";

let ada: Person;
let memoryId: string;

beforeEach(async () => {
  await emptyDatabase(server.db);
  ada = await signUpWithPlan(server, "Ada");
  memoryId = (await newMemory(ada.client, { person_name: NAME })).id;
  const name = `${memoryId}/${crypto.randomUUID()}.jpg`;
  expect((await ada.client.storage.from("media").upload(name, await photoWithMetadata())).error).toBeNull();
  await server.db.query("update media set state = 'ready'");
  const photo = (await ada.client.from("media").select("id").single().throwOnError()).data;
  await ada.client.rpc("set_cover", { media_id: photo.id }).throwOnError();
});

const link = (row: object) => newRow(ada.client, "share_links", { memory_id: memoryId, ...row }, "id", "share_id");
const read = (path: string, language = "en") =>
  fetch(`${server.url}${path}`, { headers: { "accept-language": language } });
const manifestOf = async (shareId: string, language = "en") =>
  (await (await read(`/shared/${shareId}/manifest.webmanifest`, language)).json()) as Record<string, unknown>;
const iconOf = async (shareId: string) => Buffer.from(await (await read(`/shared/${shareId}/icon.png`)).arrayBuffer());

/** Expects nothing of a link but its own address. */
async function expectNothing(shareId: string) {
  for (const language of ["en", "it"]) {
    const answer = JSON.stringify(await manifestOf(shareId, language)).replaceAll(shareId, UNKNOWN);
    expect(answer).toBe(JSON.stringify(await manifestOf(UNKNOWN, language)));
  }
  expect((await iconOf(shareId)).equals(await iconOf(UNKNOWN))).toBe(true);
}

test("the manifest of a link tells the name and the cover only as chosen for the link, and never with a PIN", async () => {
  const nothing = await link({ preview: "nothing" });
  const named = await link({ preview: "name" });
  const covered = await link({ preview: "cover" });
  await expectNothing(nothing.share_id);
  const own = `/shared/${named.share_id}`;
  expect(await manifestOf(named.share_id)).toMatchObject({ name: NAME, short_name: NAME, id: own, start_url: own });
  expect(JSON.stringify((await manifestOf(named.share_id)).icons)).not.toContain("/shared/");
  expect((await iconOf(named.share_id)).equals(await iconOf(UNKNOWN))).toBe(true);

  const { icons } = (await manifestOf(covered.share_id)) as { icons: { src: string }[] };
  const icon = await read(icons[0]?.src ?? "");
  expect([icon.headers.get("content-type"), icon.headers.get("x-robots-tag")]).toEqual(["image/png", "noindex"]);
  const bytes = Buffer.from(await icon.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 192, height: 192 });
  expect(bytes.equals(await iconOf(UNKNOWN))).toBe(false);

  const secret = { linkId: covered.id, pin: "0417" };
  await post(server, "share-pin", secret, { authorization: `Bearer ${ada.token}` });
  await expectNothing(covered.share_id);
  await server.db.query("update share_links set revoked_at = now()");
  await expectNothing(named.share_id);
});

test("a manifest is in the reader's language, and caches keep the languages apart", async () => {
  for (const path of ["/manifest.webmanifest", `/shared/${UNKNOWN}/manifest.webmanifest`]) {
    const [english, italian, chosen] = [await read(path), await read(path, "it-IT"), await read(`${path}?lng=it`)];
    for (const { status, headers } of [english, italian, chosen]) {
      expect([status, headers.get("content-type"), headers.get("vary")]).toEqual([
        200,
        "application/manifest+json; charset=utf-8",
        expect.stringContaining("accept-language"),
      ]);
    }
    expect(((await english.json()) as { lang: string }).lang).toBe("en");
    const text = await italian.text();
    expect(JSON.parse(text)).toMatchObject({ lang: "it" });
    expect(await chosen.text()).toBe(text);
  }
});

test("the icons that systems request by name are pictures, and similar names are no page of the app", async () => {
  for (const [path, type] of [
    ["/favicon.ico", "image/"],
    ["/apple-touch-icon.png", "image/png"],
    ["/icons/maskable-512.png", "image/png"],
    ["/icons/monochrome-512.png", "image/png"],
  ] as const) {
    const answer = await read(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining(type)]);
    expect(answer.headers.get("x-robots-tag")).toBeNull();
  }
  for (const path of ["/other.webmanifest", "/apple-touch-icon-precomposed.png", "/icons/none.png", "/memory/x.ico"]) {
    const answer = await read(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("The app");
  }
});
