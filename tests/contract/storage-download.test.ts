import exifr from "exifr";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { keepSweeping } from "../support/jobs.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
keepSweeping(server);
const { db, url } = server;
const base = `${url}/storage/v1`;

let ada: Owner;
let bob: Owner;
let visitor: string;
let photo: Buffer;
let name: string;

beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  bob = await ownerOf(server, "Another");
  visitor = await visitorToken();
  // A camera's file that contains its serial number and location.
  photo = await jpeg(1000, 700, "teal", {
    IFD0: { Model: "Camera", Artist: "Ada" },
    IFD2: { BodySerialNumber: "SN-1234" },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "45/1 0/1 0/1", GPSLongitudeRef: "E", GPSLongitude: "9/1 0/1 0/1" },
  });
  name = freshName(ada.memoryId);
  await server.client(ada.token).storage.from("media").upload(name, photo);
});

const visitorToken = async () => {
  const { rows } = await db.query<{ version: number }>("select version from share_links where id = $1", [ada.linkId]);
  return server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: rows[0]?.version } });
};
const get = (path: string, token?: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${base}${path}`, { method, headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers } });
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());

describe("an original", () => {
  test("is sent to its owner byte for byte, by every URL", async () => {
    for (const path of [`/object/media/${name}`, `/object/authenticated/media/${name}`]) {
      const reply = await get(path, ada.token);
      expect((await bytesOf(reply)).equals(photo)).toBe(true);
      expect(reply.headers.get("content-type")).toBe("image/jpeg");
      expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
      expect(reply.headers.get("content-security-policy")).toBe("sandbox");
      expect(reply.headers.get("cache-control")).toBe("private, no-cache");
    }
    const { data } = await server.client(ada.token).storage.from("media").createSignedUrl(name, 60);
    expect((await bytesOf(await fetch(data?.signedUrl ?? ""))).equals(photo)).toBe(true);
  });

  test("reaches a visitor as a full-size copy without location and camera", async () => {
    expect((await exifr.gps(photo))?.latitude).toBeCloseTo(45);
    const reply = await get(`/object/media/${name}`, visitor);
    expect(reply.headers.get("content-type")).toBe("image/webp");
    const copy = await bytesOf(reply);
    const facts = await sharp(copy).metadata();
    expect([facts.width, facts.height, facts.exif, facts.xmp, facts.iptc]).toEqual([
      1000,
      700,
      undefined,
      undefined,
      undefined,
    ]);
    expect(copy.includes("SN-1234")).toBe(false);
  });

  test("is not found by a stranger, a visitor without a share, or under another name", async () => {
    for (const token of [bob.token, undefined, server.keys.publishable]) {
      const reply = await get(`/object/media/${name}`, token);
      expect(reply.status).toBe(404);
      expect(await reply.json()).toEqual({ statusCode: "404", error: "not_found", message: "Object not found" });
    }
    expect((await get(`/object/media/${freshName(ada.memoryId)}`, ada.token)).status).toBe(404);
    const { data } = await server.client(bob.token).storage.from("media").exists(name);
    expect(data).toBe(false);
  });

  test("can be requested by HEAD, without its bytes", async () => {
    const reply = await get(`/object/media/${name}`, ada.token, {}, "HEAD");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-length")).toBe(`${photo.length}`);
    const { data } = await server.client(ada.token).storage.from("media").exists(name);
    expect(data).toBe(true);
  });

  test("is answered with 304 to a client that has it", async () => {
    const etag = (await get(`/object/media/${name}`, ada.token, {}, "HEAD")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    const reply = await get(`/object/media/${name}`, ada.token, { "if-none-match": `"other", ${etag}` });
    expect([reply.status, (await bytesOf(reply)).length]).toEqual([304, 0]);
    expect((await get(`/object/media/${name}`, bob.token, { "if-none-match": etag })).status).toBe(404);
  });

  test.each([
    ["bytes=0-99", 0, 100],
    ["bytes=100-", 100, undefined],
    ["bytes=-50", -50, undefined],
  ])("is sent as the requested range: %s", async (range, start, end) => {
    const reply = await get(`/object/media/${name}`, ada.token, { range });
    expect(reply.status).toBe(206);
    const part = photo.subarray(start, end);
    const from = (start + photo.length) % photo.length;
    expect(reply.headers.get("content-range")).toBe(`bytes ${from}-${from + part.length - 1}/${photo.length}`);
    expect((await bytesOf(reply)).equals(part)).toBe(true);
  });

  test("has no range beyond its end, and is sent whole if the client's version differs", async () => {
    const beyond = await get(`/object/media/${name}`, ada.token, { range: `bytes=${photo.length}-` });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${photo.length}`]);
    const changed = await get(`/object/media/${name}`, ada.token, { range: "bytes=0-9", "if-range": '"other"' });
    expect([changed.status, (await bytesOf(changed)).length]).toEqual([200, photo.length]);
  });

  test("is saved under the requested name, and a copy with the extension of its format", async () => {
    const saved = async (token: string, download: string) =>
      (await get(`/object/media/${name}?download=${download}`, token)).headers.get("content-disposition");
    expect(await saved(ada.token, "")).toBe(`attachment; filename="${name.split("/")[1]}"`);
    expect(await saved(ada.token, "mare%20%C3%A8.jpg")).toContain("filename*=UTF-8''mare%20%C3%A8.jpg");
    expect(await saved(visitor, "sea.jpg")).toBe('attachment; filename="sea.webp"');
  });
});

describe("a rendition", () => {
  test.each([320, 640, 960, 1600, 2560])("%i wide is upright WebP, never larger than the original", async (width) => {
    const reply = await get(`/render/image/authenticated/media/${name}?width=${width}`, visitor);
    expect(reply.headers.get("content-type")).toBe("image/webp");
    const facts = await sharp(await bytesOf(reply)).metadata();
    expect([facts.format, facts.width, facts.exif]).toEqual(["webp", Math.min(width, 1000), undefined]);
  });

  test("is identical for a hundred requests at once", async () => {
    const other = freshName(ada.memoryId);
    await server.client(ada.token).storage.from("media").upload(other, photo);
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => get(`/render/image/authenticated/media/${other}?width=640`, visitor)),
    );
    const copies = await Promise.all(replies.map(bytesOf));
    expect(new Set(copies.map((copy) => copy.toString("base64"))).size).toBe(1);
  });

  test.each(["0", "321", "abc", "", "640.5", "1e9"])("%s wide is refused", async (width) => {
    expect((await get(`/render/image/authenticated/media/${name}?width=${width}`, visitor)).status).toBe(400);
  });

  test("is not found by a stranger", async () => {
    expect((await get(`/render/image/authenticated/media/${name}?width=320`, bob.token)).status).toBe(404);
  });
});

describe("a signed URL", () => {
  const sign = async (token: string, seconds = 3600) => {
    const { data } = await server.client(token).storage.from("media").createSignedUrl(name, seconds);
    return data?.signedUrl ?? "";
  };

  test("is the same when requested again, and opens the renditions too", async () => {
    // Except at the moments when the expiry time moves on.
    await expect.poll(async () => new Set([await sign(visitor), await sign(visitor)]).size).toBe(1);
    const signed = await sign(visitor);
    expect((await fetch(signed)).status).toBe(200);
    const render = `${signed.replace("/object/sign/", "/render/image/sign/")}&width=320`;
    expect((await sharp(await bytesOf(await fetch(render))).metadata()).width).toBe(320);
    expect((await fetch(`${signed}&download=sea.jpg`)).headers.get("content-disposition")).toContain("sea.webp");
  });

  test("can be requested for a width", async () => {
    const bucket = server.client(visitor).storage.from("media");
    const { data } = await bucket.createSignedUrl(name, 60, { transform: { width: 640 } });
    expect((await sharp(await bytesOf(await fetch(data?.signedUrl ?? ""))).metadata()).width).toBe(640);
  });

  test("can be requested for many names, and is returned for the visible ones only", async () => {
    const hidden = freshName(bob.memoryId);
    await server.client(bob.token).storage.from("media").upload(hidden, photo);
    const { data } = await server.client(ada.token).storage.from("media").createSignedUrls([name, hidden], 60);
    expect(data?.[0]).toMatchObject({ path: name, error: null });
    expect((await bytesOf(await fetch(data?.[0]?.signedUrl ?? ""))).equals(photo)).toBe(true);
    expect(data?.[1]).toMatchObject({ path: hidden, signedUrl: null, error: expect.stringContaining("not exist") });
  });

  test("is refused to a stranger", async () => {
    const { error } = await server.client(bob.token).storage.from("media").createSignedUrl(name, 60);
    expect(error).toMatchObject({ status: 404, message: "Object not found" });
  });

  test("opens nothing when it was changed, belongs to another object or has no token", async () => {
    const signed = await sign(ada.token);
    const token = new URL(signed).searchParams.get("token");
    for (const path of [
      `${name}?token=${token}x`,
      `${name}?token=`,
      name,
      `${name}?token=${ada.token}`,
      `${freshName(ada.memoryId)}?token=${token}`,
    ]) {
      expect((await fetch(`${base}/object/sign/media/${path}`)).status).toBe(400);
    }
  });

  test("ends with the version of its share link", async () => {
    const token = await visitorToken();
    const signed = await sign(token);
    const render = `${signed.replace("/object/sign/", "/render/image/sign/")}&width=320`;
    expect((await fetch(signed)).status).toBe(200);
    const etag = (await fetch(render)).headers.get("etag") ?? "";
    await db.query("update share_links set version = version + 1 where id = $1", [ada.linkId]);
    expect((await fetch(signed)).status).toBe(404);
    expect((await fetch(render, { headers: { "if-none-match": etag } })).status).toBe(404);
    expect((await get(`/object/media/${name}`, token)).status).toBe(404);
    expect((await get(`/object/media/${name}`, await visitorToken())).status).toBe(200);
  });
});

test("a photo that is deleted is gone at once, and its bytes soon after the trash is emptied", async () => {
  const other = freshName(ada.memoryId);
  const bucket = server.client(ada.token).storage.from("media");
  await bucket.upload(other, photo);
  await get(`/render/image/authenticated/media/${other}?width=320`, ada.token);
  expect((await server.client(bob.token).storage.from("media").remove([other])).data).toEqual([]);
  const { data } = await bucket.remove([other, freshName(ada.memoryId)]);
  expect(data).toMatchObject([{ name: other, bucket_id: "media", metadata: { size: photo.length } }]);
  expect((await get(`/object/media/${other}`, ada.token)).status).toBe(404);
  expect((await server.client(ada.token).rpc("empty_trash")).data).toBe(1);
  await expect.poll(async () => (await db.query("select from storage.discarded")).rows.length).toBe(0);
  expect((await db.query("select from media where object_name = $1", [other])).rows).toHaveLength(0);
});
