import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUpWithPlan } from "../support/people.ts";
import { photoWithMetadata } from "../support/photo-with-metadata.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow, post } from "../support/sharing.ts";

const webFolder = await mkdtemp(join(tmpdir(), "skies-web-"));
await writeFile(join(webFolder, "index.html"), "<!doctype html><html><head></head><body>The app</body></html>");
const server = await testServer({}, undefined, { webFolder });
const { db } = server;
const NAME = `Nonna "Rosa" <b>`;
const ESCAPED = "Nonna &quot;Rosa&quot; &lt;b&gt;";
const UNKNOWN = "ThereIsNothingHere1234";

let ada: Person;
let memoryId: string;
let photoId: string;

beforeEach(async () => {
  await emptyDatabase(db);
  ada = await signUpWithPlan(server, "Ada");
  memoryId = (await newMemory(ada.client, { person_name: NAME })).id;
  const upload = await ada.client.storage
    .from("media")
    .upload(`${memoryId}/${crypto.randomUUID()}.jpg`, await photoWithMetadata());
  expect(upload.error).toBeNull();
  await db.query("update media set state = 'ready'");
  photoId = (await ada.client.from("media").select("id").single().throwOnError()).data.id;
  await ada.client.rpc("set_cover", { media_id: photoId }).throwOnError();
});

const link = (row: object) => newRow(ada.client, "share_links", { memory_id: memoryId, ...row }, "id", "share_id");
const secret = (linkId: string, body: object) =>
  post(server, "share-pin", { linkId, ...body }, { authorization: `Bearer ${ada.token}` });

/** The metadata that messengers read, as a browser of this language gets them. */
async function previewOf(shareId: string, language = "en") {
  const page = await fetch(`${server.url}/shared/${shareId}`, { headers: { "accept-language": language } });
  return (await page.text()).match(/<(?:title|meta).*/g)?.join("\n") ?? "";
}
const pictureOf = (shareId: string) => fetch(`${server.url}/shared/${shareId}/preview.jpg`);

async function expectNothing(shareId: string) {
  for (const language of ["en", "it"])
    expect(await previewOf(shareId, language)).toBe(await previewOf(UNKNOWN, language));
  const picture = await pictureOf(shareId);
  expect(picture.status).toBe(404);
  expect(await picture.text()).toBe(await (await pictureOf(UNKNOWN)).text());
}

describe("the preview of a link", () => {
  const update = (set: string) => (id: string) => db.query(`update share_links set ${set} where id = $1`, [id]);
  test.each<[string, (id: string) => Promise<unknown>]>([
    ["with a PIN", (linkId) => secret(linkId, { pin: "0417" })],
    ["with a passphrase", (linkId) => secret(linkId, { passphrase: "Grandma's garden" })],
    ["that is turned off", update("revoked_at = now()")],
    ["that has expired", update("expires_at = now() - interval '1 second'")],
    ["that was never shared", update("shared_at = null")],
    ["that was made anew", update("share_id = private.new_share_id()")],
    ["that was deleted", (id) => db.query("delete from share_links where id = $1", [id])],
    ["of a draft", () => db.query("update memories set draft = true")],
    ["of a memory in the trash", async () => ada.client.from("memories").delete().eq("id", memoryId)],
    ["for which nothing was chosen", update("preview = 'nothing'")],
  ])("%s is that of no link, whatever was chosen", async (_which, change) => {
    const named = await link({ preview: "name" });
    const covered = await link({ preview: "cover" });
    for (const { share_id } of [named, covered]) expect(await previewOf(share_id)).toContain(ESCAPED);
    expect([(await pictureOf(named.share_id)).status, (await pictureOf(covered.share_id)).status]).toEqual([404, 200]);
    await change(named.id);
    await change(covered.id);
    for (const { share_id } of [named, covered]) await expectNothing(share_id);
  });

  test("of an invitation is that of no link", async () => {
    const row = { memory_id: memoryId, email: "aunt@example.com", role: "viewer" };
    const invitation = await newRow(ada.client, "invitations", row);
    const email = ada.client.rpc("invitation_email", { invitation_id: invitation.id });
    const { data } = await email.single<{ share_id: string }>().throwOnError();
    await db.query("update share_links set preview = 'cover'");
    await expectNothing(data.share_id);
  });

  test("tells the name unless another choice was made, in the language of the memory's owner", async () => {
    const { share_id } = await link({});
    expect(await previewOf(share_id, "it")).toContain(`<meta property="og:title" content="${ESCAPED}">`);
    expect(await previewOf(share_id, "it")).toContain('<meta property="og:locale" content="en_GB">');
    await ada.client.auth.updateUser({ data: { language: "it" } });
    await db.query(`update auth.users set raw_user_meta_data = '{"language": "it"}'`);
    const preview = await previewOf(share_id, "en");
    expect(preview).toContain("Apri il link");
    expect(preview).toContain('<meta property="og:locale" content="it_IT">');
    expect(preview).toContain('/preview.jpg">');
    expect(preview).not.toContain(share_id);
    expect((await pictureOf(share_id)).status).toBe(404);
  });

  test("with the cover has an absolute URL of a picture, which visitors of the link may see", async () => {
    const { share_id } = await link({ preview: "cover" });
    const url = /og:image" content="([^"]+)"/.exec(await previewOf(share_id))?.[1] ?? "";
    expect(url).toMatch(new RegExp(`^https?://[^/]+/shared/${share_id}/preview\\.jpg\\?v=`));
    const picture = await pictureOf(share_id);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
    // A cover that a manager hides is replaced by the memory's sky, at another URL.
    await db.query("update media set moderation = 'hidden'");
    expect(await previewOf(share_id)).not.toContain(url);
    const sky = Buffer.from(await (await pictureOf(share_id)).arrayBuffer());
    expect(sky.equals(bytes)).toBe(false);
    expect(await sharp(sky).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
  });

  test("of an upload-only link never has the cover, and that of an album is the album's name and a cover of it", async () => {
    const only = await link({ preview: "cover", rights: "upload" });
    expect(await previewOf(only.share_id)).toContain(ESCAPED);
    expect((await pictureOf(only.share_id)).status).toBe(404);
    const album = await newRow(ada.client, "albums", { name: "Bellini" });
    await ada.client.rpc("put_in_album", { album_id: album.id, ids: [memoryId] }).throwOnError();
    const ofAlbum = await link({ memory_id: null, album_id: album.id, preview: "cover" });
    expect(await previewOf(ofAlbum.share_id)).toContain('og:title" content="Bellini"');
    expect((await pictureOf(ofAlbum.share_id)).status).toBe(200);
    await db.query("update albums set deleted_at = now()");
    await expectNothing(ofAlbum.share_id);
  });

  test("cannot be chosen by others, and takes no other value", async () => {
    const { id } = await link({});
    const eve = await signUpWithPlan(server, "Eve");
    const change = (person: Person, preview: string) =>
      person.client.from("share_links").update({ preview }).eq("id", id).select("preview");
    expect((await change(eve, "cover")).data).toEqual([]);
    expect((await change(ada, "everything")).error?.code).toBe("23514");
    expect((await change(ada, "nothing")).data).toEqual([{ preview: "nothing" }]);
  });
});
