import { createHash, randomBytes } from "node:crypto";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { AccessEndedError } from "../../server/downloads/access-guard.ts";
import { sendDownload } from "../../server/functions/download.ts";
import { prepareZip } from "../../server/functions/prepare-download.ts";
import { openSessions } from "../../server/supabase/open-sessions.ts";
import { type DownloadReady, PrepareDownload, type WantedDownload } from "../../shared/download.ts";
import { atEnd } from "../support/at-end.ts";
import { emptyDatabase } from "../support/database.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer();
const { db } = server;

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Nonna Rosa");
});

const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` });
const prepare = (token: unknown, download: WantedDownload) => post(server, "prepare-download", download, bearer(token));

/** Repeats the request until the download is ready, like the app. */
async function ready(token: unknown, download: WantedDownload): Promise<DownloadReady> {
  for (;;) {
    const { status, body } = await prepare(token, download);
    if (status === 200) return body as unknown as DownloadReady;
    expect({ status, body }).toMatchObject({ status: 202 });
  }
}
const fetched = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** Stores a photo or video as the owner. */
async function add(bytes: Buffer, filename = "IMG_1.jpg", memoryId = ada.memoryId) {
  const name = freshName(memoryId, filename.split(".").at(-1));
  const { error } = await server
    .client(ada.token)
    .storage.from("media")
    .upload(name, bytes, { metadata: { filename } });
  if (error) throw error;
  const { rows } = await db.query<{ id: string }>("select id from media where object_name = $1", [name]);
  return rows[0]?.id ?? "";
}
const visitor = async (shareId = ada.shareId) => (await open(server, shareId)).body.token;
const asAda = <Row>(text: string, values: unknown[] = []) =>
  asCaller(db, ada.caller, async (tx) => (await tx.query<Row>(text, values)).rows);

/** A photo whose metadata contains the location and the camera. */
const tellingPhoto = () =>
  jpeg(300, 200, "teal", {
    IFD2: { BodySerialNumber: "SN-1234" },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "45/1 0/1 0/1", GPSLongitudeRef: "E", GPSLongitude: "9/1 0/1 0/1" },
  });

describe("a memory as one ZIP file", () => {
  test("says that its link has expired or was turned off, to a page that is still open", async () => {
    await add(await tellingPhoto());
    const token = await visitor();
    const change = (columns: string) =>
      db.query(`update share_links set ${columns} where share_id = $1`, [ada.shareId]);
    await change("expires_at = now()");
    expect(await prepare(token, { memoryId: ada.memoryId })).toMatchObject({ status: 410, body: { code: "expired" } });
    await change("expires_at = null, revoked_at = now()");
    expect(await prepare(token, { memoryId: ada.memoryId })).toMatchObject({ status: 410, body: { code: "revoked" } });
  });

  test("contains the owner's originals byte for byte, with their dates and checksums", async () => {
    const photos = [await tellingPhoto(), await jpeg(60, 40), await jpeg(50, 50, "gold")];
    const first = await add(photos[0] as Buffer, "../Nonna: estate?.jpg");
    await add(photos[1] as Buffer, "IMG_1.jpg");
    await add(photos[2] as Buffer, "img_1.JPG");
    await db.query("update media set taken_at = '1987-08-15T16:20:44' where id = $1", [first]);

    const { url, size, files, name, leftOut } = await ready(ada.token, { memoryId: ada.memoryId });
    const zip = await fetched(url);
    expect({ length: zip.length, files, name, leftOut }).toEqual({
      length: size,
      files: 3,
      name: "Nonna Rosa.zip",
      leftOut: 0,
    });
    const entries = await unzip(zip);
    expect(entries.map(({ path }) => path)).toEqual([
      "Nonna Rosa/_Nonna_ estate_.jpg",
      "Nonna Rosa/IMG_1.jpg",
      "Nonna Rosa/img_1 (2).JPG",
      "Nonna Rosa/checksums.sha256",
    ]);
    expect(entries[0]?.at).toBe("1987-08-15T16:20:44");
    for (const [place, photo] of photos.entries()) expect(entries[place]?.bytes.equals(photo)).toBe(true);
    expect(entries[3]?.bytes.toString()).toBe(
      entries
        .slice(0, 3)
        .map(({ path, bytes }) => `${createHash("sha256").update(bytes).digest("hex")}  ${path.split("/")[1]}\n`)
        .join(""),
    );
  });

  test("contains copies without location and device for a visitor by a link", async () => {
    await add(await tellingPhoto());
    const [photo] = await unzip(await fetched((await ready(await visitor(), { memoryId: ada.memoryId })).url));
    expect(photo?.path).toMatch(/^Nonna Rosa\/([\d-]+ )?photo\.webp$/);
    const { width, height, exif, xmp, iptc } = await sharp(photo?.bytes).metadata();
    expect({ width, height, exif, xmp, iptc }).toEqual({ width: 300, height: 200 });
  });

  test("leaves out and counts what cannot be copied for a visitor, and contains it for the owner", async () => {
    await add(await jpeg());
    const broken = Buffer.concat([(await jpeg()).subarray(0, 150), randomBytes(500)]);
    await add(broken, "broken.jpg");
    expect(await ready(ada.token, { memoryId: ada.memoryId })).toMatchObject({ files: 2, leftOut: 0 });
    expect(await ready(await visitor(), { memoryId: ada.memoryId })).toMatchObject({ files: 1, leftOut: 1 });
  });

  test("reports progress while copies are being made", async () => {
    await add(await jpeg());
    const { share } = JSON.parse(atob(String(await visitor()).split(".")[1] ?? ""));
    const deps = { ...server, secret: new Uint8Array(32), maxWaitMs: -1 };
    const contents = PrepareDownload.parse({ memoryId: ada.memoryId });
    const reply = await prepareZip(deps, { role: "anon", share }, contents, server.url);
    expect([reply.status, await reply.json()]).toEqual([202, { state: "preparing", ready: 0, files: 1 }]);
  });
});

test("an archive has the days of its comments in the reader's time zone, and its file says whose memory it is", async () => {
  await asAda("insert into comments (memory_id, body) values ($1, 'She sang.')", [ada.memoryId]);
  await db.query("update comments set created_at = '2026-03-08T23:30Z'");
  const dayIn = async (more: { timeZone?: string }) => {
    const { name, url } = await ready(ada.token, { memoryId: ada.memoryId, archive: true, ...more });
    expect(name).toBe("Nonna Rosa (archive).zip");
    const page = (await unzip(await fetched(url))).find(({ path }) => path.endsWith("index.html"))?.bytes.toString();
    return /class="when">([^<]*)</.exec(page ?? "")?.[1];
  };
  expect(await dayIn({ timeZone: "Europe/Rome" })).toBe("9 March 2026");
  expect(await dayIn({ timeZone: "America/New_York" })).toBe("8 March 2026");
  // A browser may have a zone that the server does not have.
  expect(await dayIn({ timeZone: "Nowhere/Else" })).toBe("8 March 2026");
  expect(await dayIn({})).toBe("8 March 2026");
});

describe("a download that broke off", () => {
  test("resumes at any byte and yields the whole file", async () => {
    for (const background of ["teal", "gold", "navy"]) await add(await jpeg(400, 300, background));
    const { url, size } = await ready(ada.token, { memoryId: ada.memoryId });
    const whole = await fetched(url);
    const head = await fetch(url, { method: "HEAD" });
    expect(Object.fromEntries(head.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-length": `${size}`,
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="Nonna Rosa.zip"',
      "x-content-type-options": "nosniff",
    });
    const tag = head.headers.get("etag") ?? "";

    const pieces: Buffer[] = [];
    const step = Math.ceil(size / 7);
    for (let from = 0; from < size; from += step) {
      const range = `bytes=${from}-${Math.min(size, from + step) - 1}`;
      const reply = await fetch(url, { headers: { range, "if-range": tag } });
      expect(reply.status).toBe(206);
      pieces.push(Buffer.from(await reply.arrayBuffer()));
    }
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    // Prepared again, it is still the same file at the same URL.
    expect((await ready(ada.token, { memoryId: ada.memoryId })).url).toBe(url);
    const rest = await fetch(url, { headers: { range: `bytes=${size - 5}-`, "if-range": tag } });
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(-5))).toBe(true);
  });

  test("restarts if the content differs, and refuses a range beyond the end", async () => {
    await add(await jpeg());
    const { url, size } = await ready(ada.token, { memoryId: ada.memoryId });
    const other = await fetch(url, { headers: { range: "bytes=10-", "if-range": '"another"' } });
    expect([other.status, other.headers.get("content-length")]).toEqual([200, `${size}`]);
    const beyond = await fetch(url, { headers: { range: `bytes=${size}-` } });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
  });
});

describe("who may download", () => {
  test("strangers, invented tickets and malformed requests are refused", async () => {
    const mediaId = await add(await jpeg());
    const bob = await ownerOf(server, "Another");
    for (const token of [server.keys.publishable, bob.token]) {
      for (const download of [{ memoryId: ada.memoryId }, { mediaIds: [mediaId] }]) {
        expect(await prepare(token, download)).toMatchObject({ status: 404, body: { code: "not_found" } });
      }
    }
    expect((await fetch(`${server.url}/functions/v1/download?ticket=${"A".repeat(43)}`)).status).toBe(404);
    expect((await fetch(`${server.url}/functions/v1/download`)).status).toBe(404);
    expect(await prepare(ada.token, { mediaIds: [] })).toMatchObject({ status: 400 });
    expect(await prepare(ada.token, { memoryId: "x" } as never)).toMatchObject({ status: 400 });
  });

  test("a visitor by a link without downloads is refused", async () => {
    await add(await jpeg());
    await asAda("update share_links set allows_download = false where id = $1", [ada.linkId]);
    expect(await prepare(await visitor(), { memoryId: ada.memoryId })).toMatchObject({
      status: 403,
      body: { code: "downloads_off" },
    });
  });

  test("Spec §4: a changed PIN ends prepared downloads at once", async () => {
    await add(await jpeg());
    const { url } = await ready(await visitor(), { memoryId: ada.memoryId });
    expect((await fetch(url)).status).toBe(200);
    await post(server, "share-pin", { linkId: ada.linkId, pin: "0417" }, bearer(ada.token));
    const closed = await fetch(url, { headers: { range: "bytes=0-9" } });
    expect([closed.status, ((await closed.json()) as { code: string }).code]).toEqual([403, "closed"]);
  });

  test("a download by an album link continues when memories are added, and ends when one is removed", async () => {
    await givePlan(db, ada.userId);
    await add(await jpeg());
    const [album] = await asAda<{ id: string }>("insert into albums (name) values ('Estate') returning id");
    const [twin] = await asAda<{ id: string }>("insert into memories (person_name) values ('Nonno') returning id");
    const put = (memory: string | undefined, into: string | null = album?.id ?? null) =>
      asAda("select put_in_album($1, $2)", [into, [memory]]);
    await put(ada.memoryId);
    const [link] = await asAda<{ share_id: string }>(
      "insert into share_links (album_id) values ($1) returning share_id",
      [album?.id],
    );
    const { url } = await ready(await visitor(link?.share_id), { albumId: album?.id ?? "" });
    const whole = await fetched(url);

    await put(twin?.id);
    const rest = await fetch(url, { headers: { range: "bytes=100-" } });
    expect([rest.status, Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(100))]).toEqual([206, true]);
    await put(twin?.id, null);
    expect((await fetch(url)).status).toBe(403);
    // An ended download does not become valid again when the memory returns to the album.
    await put(twin?.id);
    expect((await fetch(url)).status).toBe(403);
  });

  test("a removed member's running download is cut off", async () => {
    for (let number = 0; number < 3; number++) await add(Buffer.concat([await jpeg(), randomBytes(1_000_000)]));
    const bob = await ownerOf(server, "Another");
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
      ada.memoryId,
      bob.userId,
    ]);
    const { url, size } = await ready(bob.token, { memoryId: ada.memoryId });
    const sessions = await openSessions(db);
    atEnd(() => sessions.close());
    const { status, body } = await sendDownload({ ...server, sessions, holdsMs: 0 }, new Request(url), () => {});
    expect(status).toBe(200);
    const bytes = body?.getReader();
    let received = 0;
    const readOn = async () => {
      received += (await bytes?.read())?.value?.length ?? Number.NaN;
    };
    while (received < 300_000) await readOn();
    await asAda("delete from memory_members where user_id = $1", [bob.userId]);
    await expect(async () => {
      while (received < size) await readOn();
    }).rejects.toThrow(AccessEndedError);
    expect(received).toBeLessThan(1_000_000);
    expect((await fetch(url)).status).toBe(403);
  });
});

describe("an album and a selection", () => {
  test("contain a folder per memory, and no drafts, hidden photos or other memories", async () => {
    await givePlan(db, ada.userId);
    const [album] = await asAda<{ id: string }>("insert into albums (name) values ('Estate: 2024') returning id");
    const [draft] = await asAda<{ id: string }>(
      "insert into memories (person_name, draft) values ('Draft', true) returning id",
    );
    const [twin] = await asAda<{ id: string }>("insert into memories (person_name) values ('nonna rosa') returning id");
    const [outside] = await asAda<{ id: string }>("insert into memories (person_name) values ('Outside') returning id");
    await asAda("select put_in_album($1, $2)", [album?.id, [ada.memoryId, twin?.id, draft?.id]]);
    const ids = [];
    for (const memory of [ada.memoryId, twin?.id, draft?.id, outside?.id]) {
      ids.push(await add(await jpeg(), "IMG_1.jpg", memory));
    }
    await db.query("update media set moderation = 'hidden' where id = $1", [await add(await jpeg(), "hidden.jpg")]);

    const pathsOf = async (download: WantedDownload) =>
      (await unzip(await fetched((await ready(ada.token, download)).url))).map(({ path }) => path);
    expect(await pathsOf({ albumId: album?.id ?? "" })).toEqual([
      "Estate_ 2024/Nonna Rosa/IMG_1.jpg",
      "Estate_ 2024/nonna rosa (2)/IMG_1.jpg",
      "Estate_ 2024/checksums.sha256",
    ]);
    expect(await pathsOf({ mediaIds: [ids[0] ?? ""] })).toEqual([
      "Nonna Rosa/IMG_1.jpg",
      "Nonna Rosa/checksums.sha256",
    ]);
  });
});
