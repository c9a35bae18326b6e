import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
const { db } = server;

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Nonna Rosa");
});

const mediaOf = (who: { token?: string }) => server.client(who.token).storage.from("media");

describe("an upload", () => {
  test("is stored byte for byte and found again by its owner", async () => {
    const photo = await jpeg();
    const name = freshName(ada.memoryId);
    const stored = await mediaOf(ada).upload(name, photo, {
      contentType: "image/jpeg",
      metadata: { filename: "a.jpg" },
    });
    expect(stored.error).toBeNull();
    expect(stored.data).toEqual({ id: expect.any(String), path: name, fullPath: `media/${name}` });
    const { data } = await mediaOf(ada).download(name);
    expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(photo)).toBe(true);
    const info = await mediaOf(ada).info(name);
    expect(info.data).toMatchObject({ name, bucketId: "media", size: photo.length, contentType: "image/jpeg" });
    expect(info.data?.metadata).toEqual({ filename: "a.jpg" });
  });

  test("sent as a form is stored byte for byte", async () => {
    const photo = await jpeg();
    const name = freshName(ada.memoryId);
    const blob = new Blob([new Uint8Array(photo)], { type: "text/html" });
    const stored = await mediaOf(ada).upload(name, blob, { cacheControl: "60", metadata: { filename: "è.jpg" } });
    expect(stored.error).toBeNull();
    const { data } = await mediaOf(ada).download(name);
    expect(data?.type).toBe("image/jpeg");
    expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(photo)).toBe(true);
    const { data: listed } = await mediaOf(ada).list(ada.memoryId);
    expect(listed?.[0]?.metadata).toMatchObject({
      size: photo.length,
      mimetype: "image/jpeg",
      cacheControl: "max-age=60",
    });
  });

  test("creates the media row at once, with the picture's size", async () => {
    const name = freshName(ada.memoryId);
    const { data } = await mediaOf(ada).upload(name, await jpeg(64, 40), { metadata: { filename: "Sea.jpg" } });
    const { rows } = await db.query("select m.*, d.* from media m join media_details d on d.media_id = m.id");
    expect(rows).toMatchObject([
      { id: data?.id, memory_id: ada.memoryId, object_name: name, file_name: "Sea.jpg", width: 64, height: 40 },
    ]);
  });

  test("of the same name is refused, and the first one stays", async () => {
    const name = freshName(ada.memoryId);
    const first = await jpeg();
    await mediaOf(ada).upload(name, first);
    const again = await mediaOf(ada).upload(name, await jpeg(10, 10));
    expect(again.error).toMatchObject({ status: 409, statusCode: "409", message: "The resource already exists" });
    const { data } = await mediaOf(ada).download(name);
    expect((data as Blob).size).toBe(first.length);
  });
});

describe("an upload is refused", () => {
  test("for a stranger and a visitor, and nothing is stored", async () => {
    const bob = await ownerOf(server, "Another");
    const name = freshName(ada.memoryId);
    for (const who of [bob, {}]) {
      const { error } = await mediaOf(who).upload(name, await jpeg());
      expect(error).toMatchObject({ status: 403, statusCode: "403" });
    }
    const { rows } = await db.query("select from storage.objects");
    expect(rows).toHaveLength(0);
  });

  test("with an expired or malformed token", async () => {
    const old = await server.sign(ada.caller, -60);
    const { error } = await mediaOf({ token: old }).upload(freshName(ada.memoryId), await jpeg());
    expect(error).toMatchObject({ status: 401, message: "jwt expired" });
    const other = await mediaOf({ token: "a.b.c" }).upload(freshName(ada.memoryId), await jpeg());
    expect(other.error?.message).toMatch(/JWT/);
  });

  test.each([
    ["an SVG", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "image/svg+xml"],
    ["an HTML page", "<!doctype html><script>alert(1)</script>", "text/html"],
    ["a program", "MZ\x90\0".padEnd(200, "\0"), "application/x-msdownload"],
    ["plain text", "just some words", "application/octet-stream"],
  ])("when it is %s under a photo's name", async (_what, content, type) => {
    const { error } = await mediaOf(ada).upload(freshName(ada.memoryId), Buffer.from(content, "latin1"), {
      contentType: "image/jpeg",
    });
    expect(error).toMatchObject({ status: 415, message: `mime type ${type} is not supported` });
  });

  test("when it is too large, by its declared or its received length", async () => {
    const { data: media } = await server.service().storage.getBucket("media");
    const limits = { public: false, allowedMimeTypes: media?.allowed_mime_types };
    await server.service().storage.updateBucket("media", { ...limits, fileSizeLimit: 300_000 });
    try {
      for (const size of [310_000, 600_000]) {
        const bytes = Buffer.concat([await jpeg(), Buffer.alloc(size)]);
        for (const body of [bytes, new Blob([bytes])]) {
          const { error } = await mediaOf(ada).upload(freshName(ada.memoryId), body);
          expect(error).toMatchObject({ status: 413, message: "The object exceeded the maximum allowed size" });
        }
      }
    } finally {
      await server.service().storage.updateBucket("media", { ...limits, fileSizeLimit: media?.file_size_limit });
    }
  });

  test.each(["../secret.jpg", "a//b.jpg", "%00.jpg", "a%2f..%2fb.jpg", "è.jpg"])("under the name %s", async (name) => {
    const reply = await fetch(`${server.url}/storage/v1/object/media/${ada.memoryId}/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "image/jpeg" },
      body: new Uint8Array(await jpeg()),
    });
    expect(reply.ok).toBe(false);
    expect(reply.status).toBeLessThan(500);
  });

  test("into a bucket that does not exist", async () => {
    const { error } = await server
      .client(ada.token)
      .storage.from("nowhere")
      .upload("a.jpg", await jpeg());
    expect(error).toMatchObject({ status: 404, message: "Bucket not found" });
  });

  test.each([
    ["that ends early", '--x\r\ncontent-disposition: form-data; name=""; filename="blob"\r\n\r\nsome bytes'],
    ["without a file", '--x\r\ncontent-disposition: form-data; name="cacheControl"\r\n\r\n60\r\n--x--\r\n'],
    ["that is malformed", "no form at all"],
  ])("as a form %s, and no part of it stays", async (_what, body) => {
    const reply = await fetch(`${server.url}/storage/v1/object/media/${freshName(ada.memoryId)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "multipart/form-data; boundary=x" },
      body,
    });
    expect(reply.status).toBe(400);
    expect(await readdir(join(server.dataDir, "storage/parts"))).toEqual([]);
  });

  test("when its client disconnects half-way, and no part of it stays", async () => {
    const abort = new AbortController();
    const parts = join(server.dataDir, "storage/parts");
    const sending = fetch(`${server.url}/storage/v1/object/media/${freshName(ada.memoryId)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "image/jpeg" },
      body: new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1000)) }),
      signal: abort.signal,
      duplex: "half",
    } as RequestInit).catch(() => "gone");
    await expect.poll(() => server.files.activeUploads.any()).toBe(true);
    abort.abort();
    expect(await sending).toBe("gone");
    await expect.poll(() => server.files.activeUploads.any()).toBe(false);
    await expect.poll(() => readdir(parts)).toEqual([]);
  });
});
