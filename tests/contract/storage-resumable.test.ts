import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { from } from "../../server/files/uploads/write-part.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg, resumable, uploadResumably } from "../support/uploads.ts";

const server = await testServer();
const { db, url } = server;

let ada: Owner;
let photo: Buffer;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.query("delete from storage.uploads");
  ada = await ownerOf(server, "Nonna Rosa");
  photo = Buffer.concat([await jpeg(), randomBytes(300_000)]);
});

const target = (name: string, token = ada.token) => ({ url, token, name, bytes: photo });
const tus = (
  method: string,
  upload: string | null,
  token: string,
  headers: Record<string, string> = {},
  body?: Buffer,
) =>
  fetch(upload ?? "", {
    method,
    headers: { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0", ...headers },
    body: body && new Uint8Array(body),
  });
const patch = (upload: string | null, offset: number, body: Buffer, token = ada.token) =>
  tus(
    "PATCH",
    upload,
    token,
    { "upload-offset": `${offset}`, "content-type": "application/offset+octet-stream" },
    body,
  );

/** Begins an upload and sends its first bytes; resolves to its URL. */
async function begin(name: string, bytes: number): Promise<string> {
  const { upload } = resumable(target(name), { chunkSize: bytes });
  await new Promise<void>((resolve) => {
    upload.options.onChunkComplete = () => {
      void upload.abort().then(resolve);
    };
    upload.start();
  });
  return upload.url ?? "";
}

describe("a resumable upload", () => {
  test("in chunks arrives byte for byte, with its metadata", async () => {
    const name = freshName(ada.memoryId);
    const upload = await uploadResumably(target(name), { chunkSize: 100_000 });
    expect(upload.url).toMatch(new RegExp(`^${url}/storage/v1/upload/resumable/[0-9a-f-]{36}$`));
    const { data } = await server.client(ada.token).storage.from("media").download(name);
    expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(photo)).toBe(true);
    const { rows } = await db.query(
      "select file_name, size, object_name from media join media_details on media_id = id",
    );
    expect(rows).toEqual([{ file_name: "IMG_1.jpg", size: photo.length, object_name: name }]);
  });

  test("resumes where it stopped", async () => {
    const name = freshName(ada.memoryId);
    const at = await begin(name, 120_000);
    const head = await tus("HEAD", at, ada.token);
    expect(Number(head.headers.get("upload-offset"))).toBeGreaterThanOrEqual(120_000);
    expect(head.headers.get("upload-length")).toBe(`${photo.length}`);
    await uploadResumably(target(name), { uploadUrl: at });
    const { data } = await server.client(ada.token).storage.from("media").download(name);
    expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(photo)).toBe(true);
  });

  test("stays complete for a client that lost the last response", async () => {
    const name = freshName(ada.memoryId);
    const { url: at } = await uploadResumably(target(name));
    const head = await tus("HEAD", at, ada.token);
    expect(head.headers.get("upload-offset")).toBe(`${photo.length}`);
    expect((await patch(at, photo.length, Buffer.alloc(0))).status).toBe(204);
    expect((await tus("DELETE", at, ada.token)).status).toBe(400);
  });

  test("replaces an object if its caller may and asks for it", async () => {
    await db.query("insert into storage.buckets (id, name) values ('papers', 'papers') on conflict do nothing");
    const papers = { ...target("a.jpg", server.keys.secret), bucket: "papers" };
    await uploadResumably({ ...papers, bytes: await jpeg(10, 10) });
    await uploadResumably(papers, { headers: { authorization: `Bearer ${papers.token}`, "x-upsert": "true" } });
    const { data } = await server.service().storage.from("papers").download("a.jpg");
    expect((data as Blob).size).toBe(photo.length);
  });

  test("can be cancelled", async () => {
    const at = await begin(freshName(ada.memoryId), 100_000);
    expect((await tus("DELETE", at, ada.token)).status).toBe(204);
    expect((await tus("HEAD", at, ada.token)).status).toBe(404);
  });

  test("belongs to the caller who began it", async () => {
    const bob = await ownerOf(server, "Another");
    const at = await begin(freshName(ada.memoryId), 100_000);
    for (const token of [bob.token, server.keys.publishable, server.keys.secret]) {
      expect((await tus("HEAD", at, token)).status).toBe(404);
      expect((await patch(at, 100_000, Buffer.alloc(5), token)).status).toBe(404);
      expect((await tus("DELETE", at, token)).status).toBe(404);
    }
    expect((await tus("HEAD", at, ada.token)).status).toBe(200);
  });

  test("whose row a crash prevented is completed at the next request", async () => {
    const name = freshName(ada.memoryId);
    const at = await begin(name, 120_000);
    const id = at.split("/").at(-1) ?? "";
    const offset = Number((await tus("HEAD", at, ada.token)).headers.get("upload-offset"));
    // As after a kill: the bytes complete, the row absent.
    const rest = from(Readable.from([photo.subarray(offset)]));
    await server.files.incoming.write({ bucket: "media", version: id }, rest, { at: offset, size: photo.length });
    const head = await tus("HEAD", at, ada.token);
    expect(head.headers.get("upload-offset")).toBe(`${photo.length}`);
    const { rows } = await db.query("select name from storage.objects");
    expect(rows).toEqual([{ name }]);
  });
});

describe("a resumable upload is refused", () => {
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.unreachable("It was taken"),
      (error) => ({ status: error.originalResponse.getStatus(), body: error.originalResponse.getBody() }),
    );

  test("before its first byte for a stranger and a visitor", async () => {
    const bob = await ownerOf(server, "Another");
    for (const token of [bob.token, server.keys.publishable]) {
      const name = freshName(ada.memoryId);
      expect(await refusal(uploadResumably(target(name, token)))).toMatchObject({ status: 403 });
    }
    const { rows } = await db.query("select from storage.uploads");
    expect(rows).toHaveLength(0);
  });

  test("before its first byte when it is too large", async () => {
    const bytes = Buffer.alloc(50 * 1024 * 1024 + 1);
    expect(await refusal(uploadResumably({ ...target(freshName(ada.memoryId)), bytes }))).toEqual({
      status: 413,
      body: "too_large: File is too large",
    });
  });

  test("when it is no picture, and leaves no bytes", async () => {
    const bytes = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");
    const { upload, done } = resumable({ ...target(freshName(ada.memoryId)), bytes });
    upload.start();
    expect(await refusal(done)).toEqual({
      status: 415,
      body: "invalid_type: mime type image/svg+xml is not supported",
    });
    const id = upload.url?.split("/").at(-1) ?? "";
    expect((await server.files.incoming.received({ bucket: "media", version: id }, bytes.length)) ?? 0).toBe(0);
    expect((await tus("HEAD", upload.url, ada.token)).status).toBe(404);
  });

  test("under a name that is taken", async () => {
    const name = freshName(ada.memoryId);
    await uploadResumably(target(name));
    expect(await refusal(uploadResumably(target(name)))).toEqual({
      status: 409,
      body: "Duplicate: The resource already exists",
    });
  });
});

test("a second request for an upload takes it over from one that hangs", async () => {
  const name = freshName(ada.memoryId);
  const at = await begin(name, 100_000);
  const offset = Number((await tus("HEAD", at, ada.token)).headers.get("upload-offset"));
  const hanging = fetch(at, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${ada.token}`,
      "tus-resumable": "1.0.0",
      "upload-offset": `${offset}`,
      "content-type": "application/offset+octet-stream",
    },
    body: new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(photo.subarray(offset, offset + 10))),
    }),
    duplex: "half",
  } as RequestInit).catch(() => undefined);
  await expect.poll(() => server.files.activeUploads.any()).toBe(true);
  await uploadResumably(target(name), { uploadUrl: at });
  const { data } = await server.client(ada.token).storage.from("media").download(name);
  expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(photo)).toBe(true);
  await hanging;
});
