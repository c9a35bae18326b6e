import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openFiles } from "../../server/files/files.ts";
import { from } from "../../server/files/uploads/write-part.ts";
import { readSettings } from "../../server/settings/settings.ts";
import { cachedBuckets } from "../../server/supabase/storage/cached-lookups.ts";
import { openResumable } from "../../server/supabase/storage/open-resumable.ts";
import { discardStrays, removeDiscarded } from "../../server/supabase/storage/remove-bytes.ts";
import { removeOldUploads } from "../../server/supabase/storage/sweep.ts";
import { byteModel, SEED } from "../support/byte-model.ts";
import { DAY_MS } from "../support/jobs.ts";
import { sized } from "../support/long-tests.ts";
import { type S3Server, startS3 } from "../support/s3-server.ts";
import { type TestServer, testServer } from "../support/server.ts";
import { type Owner, open, ownerOf } from "../support/sharing.ts";
import { tinyVideo } from "../support/tiny-video.ts";
import { freshName, jpeg, resumable, uploadResumably } from "../support/uploads.ts";

const MIB = 1024 * 1024;

let s3: S3Server;
let settings: Record<string, string>;
let server: TestServer;
/** Another process on another machine: the same database, bucket and secret, with a separate data folder. */
let other: TestServer;
let ada: Owner;
beforeAll(async () => {
  s3 = await startS3();
  settings = { ...(await s3.bucket()), SECRET_KEY: randomBytes(32).toString("base64") };
  server = await testServer(settings);
  const dataDir = await mkdtemp(join(tmpdir(), "skies-s3-other-"));
  other = await testServer(settings, { db: server.db, dataDir });
  ada = await ownerOf(server, "Nonna Rosa");
});
afterAll(async () => {
  await s3.close();
  await rm(other.dataDir, { recursive: true, force: true });
});

/** Lists the names of all objects in the bucket, and the unfinished multipart uploads. */
async function stored() {
  const Bucket = settings.S3_BUCKET;
  const [objects, uploads] = await Promise.all([
    s3.client.send(new ListObjectsV2Command({ Bucket })),
    s3.client.send(new ListMultipartUploadsCommand({ Bucket })),
  ]);
  return { names: (objects.Contents ?? []).map(({ Key = "" }) => Key), uploads: (uploads.Uploads ?? []).length };
}
const sweep = ({ db, files }: TestServer) => ({
  db,
  files,
  resumable: openResumable({ db, files, buckets: cachedBuckets(db) }),
  log: { warn: () => {} },
});
const versionOf = async (name: string) => {
  const { rows } = await server.db.query<{ version: string }>("select version from storage.objects where name = $1", [
    name,
  ]);
  return rows[0]?.version ?? "";
};
const download = async (at: TestServer, name: string, headers: Record<string, string> = {}) =>
  fetch(`${at.url}/storage/v1/object/media/${name}`, { headers: { authorization: `Bearer ${ada.token}`, ...headers } });
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const localFiles = ({ dataDir }: TestServer, folder: string) => readdir(join(dataDir, "storage", folder));

test("an interrupted upload resumes on another machine and back, and leaves nothing on a local disk", async () => {
  const bytes = Buffer.concat([await jpeg(800, 600), randomBytes(19 * MIB)]);
  const name = freshName(ada.memoryId);
  /** Sends the next two chunks. */
  const sendTwo = async (at: TestServer, chunkSize: number, uploadUrl?: string) => {
    const target = { url: at.url, token: ada.token, name, bytes };
    const { upload } = resumable(target, { chunkSize, ...(uploadUrl !== undefined && { uploadUrl }) });
    await new Promise<void>((resolve) => {
      let chunks = 0;
      upload.options.onChunkComplete = () => {
        chunks += 1;
        if (chunks === 2) void upload.abort().then(resolve);
      };
      upload.start();
    });
    return upload.url?.split("/").at(-1) ?? "";
  };
  const id = await sendTwo(server, 5 * MIB + 1);
  const uploadUrl = (at: TestServer) => `${at.url}/storage/v1/upload/resumable/${id}`;
  expect(await localFiles(server, "parts")).toEqual([]);
  expect((await stored()).uploads).toBe(1);

  // The first process does not know of bytes that were sent to another.
  await sendTwo(other, 2 * MIB, uploadUrl(other));
  const reached: number[] = [];
  await uploadResumably(
    { url: server.url, token: ada.token, name, bytes },
    { uploadUrl: uploadUrl(server), chunkSize: 4 * MIB, onProgress: (sent) => reached.push(sent) },
  );
  expect(reached[0]).toBeGreaterThanOrEqual(2 * (5 * MIB + 1) + 4 * MIB);

  const whole = await download(server, name);
  expect(sha256(Buffer.from(await whole.arrayBuffer()))).toBe(sha256(bytes));
  const range = { start: 8 * MIB - 10, end: 8 * MIB + 9 };
  const part = await download(other, name, { range: `bytes=${range.start}-${range.end}` });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
  expect(
    (await server.db.query("select metadata ->> 'sha256' as sha from storage.objects where name = $1", [name])).rows,
  ).toEqual([{ sha: sha256(bytes) }]);
  expect(await stored()).toEqual({ names: [`objects/media/${await versionOf(name)}`], uploads: 0 });
  expect([await localFiles(server, "parts"), await localFiles(other, "parts")]).toEqual([[], []]);

  // Bytes that were changed in the store are never served as the photo.
  const Key = `objects/media/${await versionOf(name)}`;
  await s3.client.send(new PutObjectCommand({ Bucket: settings.S3_BUCKET, Key, Body: randomBytes(bytes.length) }));
  const changed = await download(server, name);
  await expect(changed.arrayBuffer().then(({ byteLength }) => byteLength)).rejects.toThrow();
});

test("a large file's checksums are computed during the upload, without reading it back", async () => {
  const bytes = Buffer.concat([Buffer.from("No format"), randomBytes(27 * MIB)]);
  const [service, name] = [server.service().storage, `${freshName(ada.memoryId)}.bin`];
  await service.createBucket("papers");
  const fetched = vi.spyOn(server.files.objects, "local");
  expect((await service.from("papers").upload(name, bytes, { contentType: "text/plain" })).error).toBeNull();
  const several = `${freshName(ada.memoryId)}.bin`;
  const target = { url: server.url, token: server.keys.secret, bucket: "papers", name: several, bytes };
  await uploadResumably(target, { chunkSize: 4 * MIB + 1 });
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
  const { rows } = await server.db.query("select metadata from storage.objects where bucket_id = 'papers'");
  const metadata = {
    size: bytes.length,
    sha256: sha256(bytes),
    crc32: crc32(bytes),
    mimetype: "application/octet-stream",
  };
  expect(rows).toMatchObject([{ metadata }, { metadata }]);
  const { data } = await other.service().storage.from("papers").download(name);
  expect(sha256(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(sha256(bytes));
  expect((await stored()).uploads).toBe(0);
  await service.from("papers").remove([name, several]);
});

test("an upload interrupted between parts resumes at the first missing part", async () => {
  const bytes = Buffer.concat([await jpeg(800, 600), randomBytes(25 * MIB)]);
  const name = freshName(ada.memoryId);
  const { upload } = resumable({ url: server.url, token: ada.token, name, bytes }, { chunkSize: 5 * MIB });
  await new Promise<void>((resolve) => {
    upload.options.onChunkComplete = () => void upload.abort().then(resolve);
    upload.start();
  });
  const id = upload.url?.split("/").at(-1) ?? "";
  // Parts of the size that an earlier version sent.
  const at = { Bucket: settings.S3_BUCKET, Key: `objects/media/${id}` };
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
  for (const PartNumber of [1, 3]) {
    const Body = bytes.subarray((PartNumber - 1) * 8 * MIB, PartNumber * 8 * MIB);
    await s3.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }));
  }
  const reached: number[] = [];
  await uploadResumably(
    { url: other.url, token: ada.token, name, bytes },
    { uploadUrl: `${other.url}/storage/v1/upload/resumable/${id}`, onProgress: (sent) => reached.push(sent) },
  );
  expect(Math.min(...reached)).toBe(8 * MIB);
  const whole = await download(server, name);
  expect(sha256(Buffer.from(await whole.arrayBuffer()))).toBe(sha256(bytes));

  // Killed after the last part: another process combines the parts into the object.
  const later = freshName(ada.memoryId);
  const target = { url: server.url, token: ada.token, name: later, bytes };
  const { upload: second } = resumable(target, { chunkSize: 6 * MIB });
  await new Promise<void>((resolve) => {
    second.options.onChunkComplete = () => void second.abort().then(resolve);
    second.start();
  });
  const version = second.url?.split("/").at(-1) ?? "";
  const rest = from(Readable.from([bytes.subarray(6 * MIB)]));
  await server.files.incoming.write({ bucket: "media", version }, rest, { at: 6 * MIB, size: bytes.length });
  await uploadResumably(target, { uploadUrl: `${other.url}/storage/v1/upload/resumable/${version}` });
  expect(sha256(Buffer.from(await (await download(other, later)).arrayBuffer()))).toBe(sha256(bytes));
  expect((await stored()).uploads).toBe(0);
});

test("copies of photos and videos are shared by all machines, and are deleted with their object", async () => {
  const storage = server.client(ada.token).storage.from("media");
  const [photo, video, twin] = [freshName(ada.memoryId), freshName(ada.memoryId, "mp4"), freshName(ada.memoryId)];
  await storage.upload(photo, await jpeg(1200, 900));
  await storage.upload(video, tinyVideo());
  expect((await storage.copy(photo, twin)).error).toBeNull();
  const render = (at: TestServer) =>
    fetch(`${at.url}/storage/v1/render/image/authenticated/media/${photo}?width=640`, {
      headers: { authorization: `Bearer ${ada.token}` },
    });
  const first = Buffer.from(await (await render(server)).arrayBuffer());
  const version = await versionOf(photo);
  const object = await s3.client.send(
    new GetObjectCommand({ Bucket: settings.S3_BUCKET, Key: `copies/${version}/640.webp` }),
  );
  expect(Buffer.from((await object.Body?.transformToByteArray()) ?? []).equals(first)).toBe(true);
  // Another process sends the stored copy, whatever it contains, and makes none itself.
  const changed = await jpeg(640, 480);
  await s3.client.send(
    new PutObjectCommand({ Bucket: settings.S3_BUCKET, Key: `copies/${version}/640.webp`, Body: changed }),
  );
  expect(Buffer.from(await (await render(other)).arrayBuffer()).equals(changed)).toBe(true);

  // Wrong bytes of a small file are detected before the response begins.
  const Key = `objects/media/${version}`;
  await s3.client.send(new PutObjectCommand({ Bucket: settings.S3_BUCKET, Key, Body: "other bytes" }));
  expect((await download(server, photo)).status).toBe(503);

  const key = { bucket: "media", version: await versionOf(video) };
  const part = await server.files.videos.partPath(key.version);
  await writeFile(part, "a copy that plays everywhere");
  await server.files.videos.keepPlayable(key.version, part);
  const playable = await other.files.videos.playable(key);
  const middle = (await playable?.open({ start: 2, end: 5 })) ?? Buffer.alloc(0);
  expect(playable?.size).toBe(28);
  expect(Buffer.isBuffer(middle) ? middle.toString() : await text(middle)).toBe("copy");

  await storage.remove([photo, video, twin]);
  await server.db.query("delete from storage.objects");
  await removeDiscarded(server, Date.now() + DAY_MS);
  expect((await stored()).names.filter((name) => name.includes(version) || name.includes(key.version))).toEqual([]);
});

test(
  "whatever is killed or deleted in between, an acknowledged upload stays readable, and nothing unnamed stays for more than a day",
  async () => {
    await server.db.query("delete from storage.objects");
    const runSchedules = await byteModel([server, other], await ownerOf(server, "Nonna Ada"));
    await runSchedules(sized(10, 600), SEED);
  },
  sized(900_000, 7_200_000),
);

test("cancelled, abandoned and stray uploads leave nothing in the bucket", async () => {
  const bytes = randomBytes(9 * MIB);
  const begin = async () => {
    const target = { url: server.url, token: ada.token, name: freshName(ada.memoryId), bytes };
    const { upload } = resumable(target, { chunkSize: 8 * MIB + 100 });
    await new Promise<void>((resolve) => {
      upload.options.onChunkComplete = () => void upload.abort().then(resolve);
      upload.start();
    });
    return upload;
  };
  const sweepStrays = async () => {
    await discardStrays(server, Date.now() + 60_000);
    await removeDiscarded(server, Date.now() + DAY_MS);
  };
  await sweepStrays();
  const before = await stored();
  // What other tests left may still be removed meanwhile.
  const added = async () => {
    const { names, uploads } = await stored();
    return { names: names.filter((name) => !before.names.includes(name)), uploads };
  };
  const nothing = { names: [], uploads: 0 };
  const upload = await begin();
  expect(await added()).toEqual({ names: [expect.stringMatching(/^tails\//)], uploads: 1 });
  await upload.abort(true);
  expect(await added()).toEqual(nothing);

  await begin();
  await server.db.query("update storage.uploads set created_at = now() - interval '25 hours'");
  await removeOldUploads(sweep(server));
  expect(await added()).toEqual(nothing);

  // A killed process has lost its upload, and has left an object and a copy without a row.
  await begin();
  await server.db.query("delete from storage.uploads");
  for (const Key of ["objects/media/gone", "copies/gone/320.webp"]) {
    await s3.client.send(new PutObjectCommand({ Bucket: settings.S3_BUCKET, Key, Body: "x" }));
  }
  await sweepStrays();
  expect(await added()).toEqual(nothing);
});

test("with presigned URLs, a large file is saved from the store, and no longer than allowed after a link is revoked", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "skies-s3-presigned-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const presigning = await testServer({ ...settings, S3_PRESIGNED_SECONDS: "2" }, { db: server.db, dataDir });
  const owner = await ownerOf(server, "Nonno Piero");
  const bytes = Buffer.concat([await jpeg(800, 600), randomBytes(3 * MIB)]);
  const name = freshName(owner.memoryId);
  await uploadResumably({ url: server.url, token: owner.token, name, bytes });
  const version = await versionOf(name);
  const visitor = String((await open(server, owner.shareId)).body.token);

  /** Signs the path of an object as `token`, to be saved under a name. */
  const sign = async (token: string, object = name) => {
    const answer = await fetch(`${server.url}/storage/v1/object/sign/media/${object}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ expiresIn: 600 }),
    });
    return `${((await answer.json()) as { signedURL: string }).signedURL}&download=Nonno è qui.jpg`;
  };
  const ask = (path: string, { at = presigning, ...init }: RequestInit & { at?: TestServer } = {}) =>
    fetch(`${at.url}/storage/v1${path}`, { redirect: "manual", ...init });
  const signed = await sign(owner.token);

  const redirect = await ask(signed);
  expect([redirect.status, redirect.headers.get("cache-control")]).toEqual([302, "no-store"]);
  const url = redirect.headers.get("location") ?? "";
  expect(new URL(url).origin).toBe(s3.endpoint);
  const saved = await fetch(url);
  expect(Object.fromEntries(saved.headers)).toMatchObject({
    "content-type": "image/jpeg",
    "content-disposition": `attachment; filename="Nonno _ qui.jpg"; filename*=UTF-8''Nonno%20%C3%A8%20qui.jpg`,
    "cache-control": "private, no-cache",
  });
  expect(sha256(Buffer.from(await saved.arrayBuffer()))).toBe(sha256(bytes));
  const rest = await ask(signed, { redirect: "follow", headers: { range: "bytes=1000000-" } });
  expect(rest.status).toBe(206);
  expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1_000_000))).toBe(true);

  // What is shown or played, small files, bearers, HEAD, unchanged copies and servers without the setting: no redirect.
  const small = freshName(owner.memoryId);
  await uploadResumably({ url: server.url, token: owner.token, name: small, bytes: await jpeg() });
  expect((await ask(signed.replace(/&download=.*/, ""))).status).toBe(200);
  expect((await ask(await sign(owner.token, small))).status).toBe(200);
  const headers = { authorization: `Bearer ${owner.token}` };
  expect((await ask(`/object/media/${name}?download=`, { headers })).status).toBe(200);
  const head = await ask(signed, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  expect((await ask(signed, { headers: { "if-none-match": head.headers.get("etag") ?? "" } })).status).toBe(304);
  expect((await ask(signed, { at: other })).status).toBe(200);

  // A visitor saves the copy of a video, and gets no URL of its original.
  const copy = join(await server.files.copies.folder(version), "finished");
  await writeFile(copy, bytes);
  await server.files.videos.keepPlayable(version, copy);
  await server.db.query(
    `update storage.objects set metadata = metadata || '{"mimetype":"video/mp4"}' where name = $1`,
    [name],
  );
  const theirs = await sign(visitor);
  const copyUrl = (await ask(theirs)).headers.get("location") ?? "";
  expect(copyUrl).toContain(`/copies/${version}/`);
  expect((await fetch(copyUrl)).headers.get("content-type")).toBe("video/mp4");
  expect((await ask(theirs.replace("/object/sign/", "/render/video/sign/"))).status).toBe(200);

  // A revoked link: no new URL, and the last one ends after its seconds. It opens no other file.
  await server.db.query("update share_links set revoked_at = now() where id = $1", [owner.linkId]);
  await expect.poll(async () => (await ask(theirs)).status).toBe(404);
  const last = (await ask(signed)).headers.get("location") ?? "";
  expect((await fetch(last.replace(version, randomUUID()))).status).toBe(403);
  await expect.poll(async () => (await fetch(copyUrl)).status, { timeout: 180_000 }).toBe(403);
});

test("a start with a wrong key, bucket or address names the setting", async () => {
  const reason = async (wrong: Record<string, string>) => {
    const { s3: s3Settings } = readSettings({ ...settings, ...wrong });
    const folder = await mkdtemp(join(tmpdir(), "skies-s3-wrong-"));
    const failed = openFiles(folder, s3Settings).then(
      () => "",
      (error: Error) => error.message,
    );
    return failed.finally(() => rm(folder, { recursive: true }));
  };
  expect(await reason({ S3_SECRET_ACCESS_KEY: "another" })).toMatch(/refuses these keys.*S3_SECRET_ACCESS_KEY/);
  expect(await reason({ S3_BUCKET: "no-such-bucket" })).toMatch(/no-such-bucket.*does not exist/);
  expect(await reason({ S3_ENDPOINT: "http://127.0.0.1:9" })).toMatch(/cannot be reached.*S3_ENDPOINT/);
});

test("the S3 server of these tests refuses a wrong signature and changed bytes", async () => {
  const credentials = { accessKeyId: settings.S3_ACCESS_KEY_ID ?? "", secretAccessKey: "wrong" };
  const stranger = new S3Client({ endpoint: s3.endpoint, region: "default", forcePathStyle: true, credentials });
  const input = { Bucket: settings.S3_BUCKET, Key: "objects/media/forged", Body: "x" };
  await expect(stranger.send(new PutObjectCommand(input))).rejects.toMatchObject({ name: "SignatureDoesNotMatch" });
  stranger.destroy();
  const { client } = s3;
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { body?: unknown };
      request.body = "y";
      return next(args);
    },
    { step: "finalizeRequest", priority: "low", name: "changed on its way" },
  );
  await expect(client.send(new PutObjectCommand(input))).rejects.toMatchObject({
    name: "XAmzContentSHA256Mismatch",
  });
  client.middlewareStack.remove("changed on its way");
});
