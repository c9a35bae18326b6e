import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { metadataIn, photoWithMetadata, SECRETS } from "../support/photo-with-metadata.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg, resumable, uploadResumably } from "../support/uploads.ts";

const server = await testServer();
const second = await testServer({}, server);
const { db, url } = server;
const AVIF = { accept: "image/avif,image/webp,*/*;q=0.8" };

let ada: Owner;
let photo: Buffer;
let name: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  photo = await photoWithMetadata();
  name = freshName(ada.memoryId);
  await server.client(ada.token).storage.from("media").upload(name, photo);
});

const get = (path: string, token: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/storage/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const visitorBy = async (linkId = ada.linkId) => {
  const { rows } = await db.query<{ version: number }>("select version from share_links where id = $1", [linkId]);
  return server.sign({ role: "anon", aud: "anon", share: { link: linkId, version: rows[0]?.version } });
};
const member = async (role: string): Promise<{ token: string; caller: Caller }> => {
  const { userId, token, caller } = await ownerOf(server, "Another");
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [
    ada.memoryId,
    userId,
    role,
  ]);
  return { token, caller };
};

test("a visitor's copies of a photo contain none of its private metadata", async () => {
  expect(await metadataIn(photo)).toEqual(expect.arrayContaining(["exif", "gps", "xmp", "iptc"]));
  for (const secret of SECRETS) expect(photo.includes(secret)).toBe(true);
  const visitor = await visitorBy();
  const copies = [320, 640, 960, 1600, 2560].flatMap((width) =>
    [{}, AVIF].map((headers) => ({ path: `/render/image/authenticated/media/${name}?width=${width}`, headers })),
  );
  for (const { path, headers } of [...copies, { path: `/object/media/${name}`, headers: {} }]) {
    const copy = await bytesOf(await get(path, visitor, headers));
    expect([path, await metadataIn(copy)]).toEqual([path, []]);
    for (const secret of SECRETS) expect(copy.includes(secret)).toBe(false);
  }
});

describe("a small copy", () => {
  test("is AVIF at small widths for clients that accept it, and otherwise WebP", async () => {
    const types = async (headers: Record<string, string>) =>
      Promise.all(
        [320, 640, 960].map(async (width) => {
          const reply = await get(`/render/image/authenticated/media/${name}?width=${width}`, ada.token, headers);
          const { format, width: wide } = await sharp(await bytesOf(reply)).metadata();
          expect(reply.headers.get("vary")).toMatch(/\bAccept\b/);
          return [reply.headers.get("content-type"), format, wide];
        }),
      );
    expect(await types(AVIF)).toEqual([
      ["image/avif", "heif", 320],
      ["image/avif", "heif", 640],
      ["image/webp", "webp", 960],
    ]);
    for (const headers of [{ accept: "image/webp,*/*" }, { accept: "image/avif;q=0, image/webp" }]) {
      expect((await types(headers)).map(([type]) => type)).toEqual(["image/webp", "image/webp", "image/webp"]);
    }
  });

  test("has an ETag for each format, and is answered with 304 only for the same format", async () => {
    const path = `/render/image/authenticated/media/${name}?width=320`;
    const [avif, webp] = [await get(path, ada.token, AVIF), await get(path, ada.token)];
    const [tag, other] = [avif.headers.get("etag") ?? "", webp.headers.get("etag") ?? ""];
    expect(tag).not.toBe(other);
    expect((await get(path, ada.token, { ...AVIF, "if-none-match": tag })).status).toBe(304);
    expect((await get(path, ada.token, { ...AVIF, "if-none-match": other })).status).toBe(200);
  });

  test("of an animation stands still in the grid, and moves where it is large", async () => {
    const pictures = await Promise.all(
      ["red", "blue"].map((background) =>
        sharp({ create: { width: 400, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const moving = freshName(ada.memoryId, "gif");
    const gif = await sharp(pictures, { join: { animated: true } })
      .gif()
      .toBuffer();
    await server.client(ada.token).storage.from("media").upload(moving, gif);
    const visitor = await visitorBy();
    const rendition = (width: number) => `/render/image/authenticated/media/${moving}?width=${width}`;
    const frames = async (path: string) =>
      (await sharp(await bytesOf(await get(path, visitor, AVIF))).metadata()).pages ?? 1;
    expect(await Promise.all([rendition(320), rendition(1600), `/object/media/${moving}`].map(frames))).toEqual([
      1, 2, 2,
    ]);
  });
});

describe("the original", () => {
  test("is sent to managers and to the person who added it, and to nobody else", async () => {
    const [coOwner, contributor, viewer] = [
      await member("co-owner"),
      await member("contributor"),
      await member("viewer"),
    ];
    const whole = async (token: string, of = name) =>
      (await bytesOf(await get(`/object/media/${of}`, token))).equals(photo);
    expect(await Promise.all([ada, coOwner, contributor, viewer].map(({ token }) => whole(token)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const added = freshName(ada.memoryId);
    await server.client(contributor.token).storage.from("media").upload(added, photo);
    expect(await Promise.all([ada, contributor, viewer].map(({ token }) => whole(token, added)))).toEqual([
      true,
      true,
      false,
    ]);
    const copied = await server.client(contributor.token).storage.from("media").copy(name, freshName(ada.memoryId));
    expect(copied.error).toMatchObject({ status: 403 });
  });

  test("cannot be downloaded by a link that only allows looking", async () => {
    const linkId = await asCaller(db, ada.caller, async (tx) => {
      const { rows } = await tx.query<{ id: string }>(
        "insert into share_links (memory_id, allows_download) values ($1, false) returning id",
        [ada.memoryId],
      );
      return rows[0]?.id;
    });
    const visitor = await visitorBy(linkId);
    const looked = await get(`/render/image/authenticated/media/${name}?width=960`, visitor);
    expect(looked.status).toBe(200);
    for (const path of [
      `/object/media/${name}`,
      `/object/authenticated/media/${name}`,
      `/render/image/authenticated/media/${name}?width=960&download=`,
    ]) {
      const reply = await get(path, visitor, { "if-none-match": looked.headers.get("etag") ?? "" });
      expect([reply.status, (await reply.json()).error]).toEqual([403, "download_not_allowed"]);
    }
  });

  test("that cannot be copied without its metadata is refused to visitors with a reason", async () => {
    const visitor = await visitorBy();
    const broken = freshName(ada.memoryId);
    const stored = Buffer.concat([photo.subarray(0, 200), randomBytes(2000)]);
    await server.client(ada.token).storage.from("media").upload(broken, stored);
    const reply = await get(`/object/media/${broken}`, visitor);
    expect([reply.status, await reply.json()]).toMatchObject([422, { error: "unreadable_picture" }]);
    expect((await bytesOf(await get(`/object/media/${broken}`, ada.token))).equals(stored)).toBe(true);
  });
});

describe("the checksums of an original", () => {
  const bytes = randomBytes(400_000);
  const factsOf = async (object: string) => {
    const { rows } = await db.query<{ facts: Record<string, unknown>; hash: string }>(
      `select o.metadata as facts, m.content_hash as hash from storage.objects o join media m on m.id = o.id where o.name = $1`,
      [object],
    );
    return { sha256: rows[0]?.facts.sha256, crc32: rows[0]?.facts.crc32, hash: rows[0]?.hash };
  };
  let whole: Buffer;
  let expected: unknown;
  beforeAll(async () => {
    whole = Buffer.concat([await jpeg(), bytes]);
    const sha256 = createHash("sha256").update(whole).digest("hex");
    expected = { sha256, crc32: crc32(whole), hash: sha256 };
  });

  test("are SHA-256 and CRC-32, however it was uploaded", async () => {
    const [plain, form, pieces] = [freshName(ada.memoryId), freshName(ada.memoryId), freshName(ada.memoryId)];
    const media = server.client(ada.token).storage.from("media");
    await media.upload(plain, whole);
    await media.upload(form, new Blob([new Uint8Array(whole)]));
    await uploadResumably({ url, token: ada.token, name: pieces, bytes: whole }, { chunkSize: 100_000 });
    const copied = freshName(ada.memoryId);
    expect((await media.copy(plain, copied)).error).toBeNull();
    for (const object of [plain, form, pieces, copied]) expect(await factsOf(object)).toEqual(expected);
  });

  test("are the same when another process takes over half-way", async () => {
    const object = freshName(ada.memoryId);
    const target = { url, token: ada.token, name: object, bytes: whole };
    const { upload } = resumable(target, { chunkSize: 100_000 });
    await new Promise<void>((resolve) => {
      upload.options.onChunkComplete = () => void upload.abort().then(resolve);
      upload.start();
    });
    const uploadUrl = upload.url?.replace(url, second.url) ?? "";
    await uploadResumably({ ...target, url: second.url }, { uploadUrl });
    expect(await factsOf(object)).toEqual(expected);
  });
});
