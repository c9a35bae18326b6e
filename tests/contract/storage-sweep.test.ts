import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { HOUR_MS, strayBytesJob } from "../../server/jobs/housekeeping.ts";
import { missingCopiesJob } from "../../server/jobs/video/missing-copies.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { cachedBuckets } from "../../server/supabase/storage/cached-lookups.ts";
import { openResumable } from "../../server/supabase/storage/open-resumable.ts";
import { discardStrays, removeDiscarded } from "../../server/supabase/storage/remove-bytes.ts";
import { finishUploads, removeOldUploads } from "../../server/supabase/storage/sweep.ts";
import { emptyDatabase } from "../support/database.ts";
import { DAY_MS, runOnce } from "../support/jobs.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { tinyVideo } from "../support/tiny-video.ts";
import { freshName, jpeg, resumable, uploadResumably } from "../support/uploads.ts";

const server = await testServer();
const second = await testServer({}, server);
const { db, url, files } = server;
const folder = join(server.dataDir, "storage");
const log = { warn: () => {}, error: console.error };
const sweep = { db, files, resumable: openResumable({ db, files, buckets: cachedBuckets(db) }), log };

let ada: Owner;
let photo: Buffer;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.query("delete from storage.uploads");
  ada = await ownerOf(server, "Nonna Rosa");
  photo = await jpeg(200, 200);
});

/** Begins an upload and sends its first bytes; resolves to its id and its URL. */
async function begin(name: string, at = url) {
  const { upload } = resumable({ url: at, token: ada.token, name, bytes: photo }, { chunkSize: 100 });
  await new Promise<void>((resolve) => {
    upload.options.onChunkComplete = () => void upload.abort().then(resolve);
    upload.start();
  });
  const uploadUrl = upload.url ?? "";
  return { id: uploadUrl.split("/").at(-1) ?? "", uploadUrl };
}

const sent = async (id: string) => {
  const { size } = await stat(join(folder, "parts", id));
  await appendFile(join(folder, "parts", id), photo.subarray(size));
};
const download = async (name: string) => {
  const { data } = await server.client(ada.token).storage.from("media").download(name);
  return data && Buffer.from(await data.arrayBuffer());
};
const age = (path: string, hours: number) => {
  const then = new Date(Date.now() - hours * 3_600_000);
  return utimes(path, then, then);
};

describe("after a kill, the next start", () => {
  test("finishes an upload whose bytes are all there", async () => {
    const name = freshName(ada.memoryId);
    const { id } = await begin(name);
    await sent(id);
    await finishUploads(sweep);
    expect((await download(name))?.equals(photo)).toBe(true);
  });

  test("finishes an upload whose bytes are already at their final path", async () => {
    const name = freshName(ada.memoryId);
    const { id } = await begin(name);
    await sent(id);
    await mkdir(join(folder, "objects/media"), { recursive: true });
    await rename(join(folder, "parts", id), join(folder, "objects/media", id));
    await finishUploads(sweep);
    expect((await download(name))?.equals(photo)).toBe(true);
  });

  test("leaves an incomplete upload, which can be resumed", async () => {
    const name = freshName(ada.memoryId);
    const { uploadUrl } = await begin(name);
    await finishUploads(sweep);
    expect(await download(name)).toBeNull();
    await uploadResumably({ url, token: ada.token, name, bytes: photo }, { uploadUrl });
    expect((await download(name))?.equals(photo)).toBe(true);
  });

  test("does not restore a deleted object", async () => {
    const name = freshName(ada.memoryId);
    await uploadResumably({ url, token: ada.token, name, bytes: photo });
    await server.client(ada.token).storage.from("media").remove([name]);
    await finishUploads(sweep);
    expect(await download(name)).toBeNull();
  });

  test("drops an upload that may no longer be stored", async () => {
    const name = freshName(ada.memoryId);
    const { id } = await begin(name);
    await sent(id);
    await db.query('update storage.uploads set caller = \'{"role": "anon"}\'');
    await finishUploads(sweep);
    expect((await db.query("select from storage.uploads")).rows).toHaveLength(0);
    expect(existsSync(join(folder, "parts", id))).toBe(false);
    expect(existsSync(join(folder, "objects/media", id))).toBe(false);
  });
});

describe("the sweep", () => {
  test("removes an upload after a day, and keeps a younger one", async () => {
    const [old, young] = [await begin(freshName(ada.memoryId)), await begin(freshName(ada.memoryId))];
    await db.query("update storage.uploads set created_at = now() - interval '25 hours' where id = $1", [old.id]);
    const head = await fetch(old.uploadUrl, {
      method: "HEAD",
      headers: { authorization: `Bearer ${ada.token}`, "tus-resumable": "1.0.0" },
    });
    expect(head.status).toBe(410);
    await removeOldUploads(sweep);
    const { rows } = await db.query("select id from storage.uploads");
    expect(rows).toEqual([{ id: young.id }]);
    expect([old, young].map(({ id }) => existsSync(join(folder, "parts", id)))).toEqual([false, true]);
  });

  test("removes parts without an upload a day after they were found", async () => {
    const part = join(folder, "parts", randomUUID());
    await writeFile(part, "bytes");
    await age(part, 100);
    await discardStrays(sweep);
    await removeDiscarded(sweep, Date.now() + 21 * HOUR_MS);
    expect(existsSync(part)).toBe(true);
    await removeDiscarded(sweep, Date.now() + DAY_MS);
    expect(existsSync(part)).toBe(false);
  });

  test("removes bytes and copies without a row after a day, but not recent ones or those with a row", async () => {
    const name = freshName(ada.memoryId);
    await uploadResumably({ url, token: ada.token, name, bytes: photo });
    const { rows } = await db.query<{ version: string }>("select version from storage.objects where name = $1", [name]);
    const version = rows[0]?.version ?? "";
    const stray = randomUUID();
    await writeFile(join(folder, "objects/media", stray), "bytes");
    await mkdir(join(folder, "renditions", stray));
    await discardStrays(sweep, Date.now() + 1000);
    await removeDiscarded(sweep);
    expect(existsSync(join(folder, "objects/media", stray))).toBe(true);
    await removeDiscarded(sweep, Date.now() + DAY_MS);
    expect(existsSync(join(folder, "objects/media", stray))).toBe(false);
    expect(existsSync(join(folder, "renditions", stray))).toBe(false);
    expect(existsSync(join(folder, "objects/media", version))).toBe(true);
    expect((await download(name))?.equals(photo)).toBe(true);
  });

  test("removes old bytes without a row while the server runs, and leaves an upload in progress alone", async () => {
    const stray = join(folder, "objects/media", randomUUID());
    const name = freshName(ada.memoryId);
    const { id, uploadUrl } = await begin(name);
    await age(join(folder, "parts", id), 12);
    const complete = await begin(freshName(ada.memoryId));
    await sent(complete.id);
    const tomorrow = () => Date.now() + DAY_MS;
    const run = async () => {
      await removeDiscarded(sweep, tomorrow());
      return undefined;
    };
    const jobs = [strayBytesJob({ db, files }, tomorrow), { name: "sweep", run }];
    const worker = startWorker(
      jobs.map((job) => ({ ...job, interval: 20 })),
      { db, log },
    );
    try {
      await mkdir(join(folder, "objects/media"), { recursive: true });
      // Moved to its final path, but its row is not written yet.
      await rename(join(folder, "parts", complete.id), join(folder, "objects/media", complete.id));
      await writeFile(stray, "bytes");
      await expect.poll(() => existsSync(stray)).toBe(false);
      expect(existsSync(join(folder, "objects/media", complete.id))).toBe(true);
      expect(existsSync(join(folder, "parts", id))).toBe(true);
    } finally {
      await worker.stop();
    }
    await uploadResumably({ url, token: ada.token, name, bytes: photo }, { uploadUrl });
    expect((await download(name))?.equals(photo)).toBe(true);
  });
});

test("an upload is stored once if its row is committed after its process was killed, while a second process finishes it", async () => {
  const name = freshName(ada.memoryId);
  const { id, uploadUrl } = await begin(name);
  await sent(id);
  const head = await db.transaction(async (tx) => {
    // The statement of the killed process, whose transaction is still open.
    await tx.query("select storage.store_object(gen_random_uuid(), 'media', $1, $2, $3, $4, '{}', false)", [
      name,
      ada.userId,
      id,
      JSON.stringify({ size: photo.length, mimetype: "image/jpeg" }),
    ]);
    const response = fetch(uploadUrl.replace(url, second.url), {
      method: "HEAD",
      headers: { authorization: `Bearer ${ada.token}`, "tus-resumable": "1.0.0" },
    });
    const waiting = "select from pg_locks where not granted and locktype = 'transactionid'";
    await expect.poll(async () => (await db.query(waiting)).rows.length).toBe(1);
    return { response };
  });
  const { status, headers } = await head.response;
  expect([status, headers.get("upload-offset")]).toEqual([200, String(photo.length)]);
  expect((await download(name))?.equals(photo)).toBe(true);
});

test("a copy of a video that is ready and does not exist is made again", async () => {
  const names = [freshName(ada.memoryId, "mp4"), freshName(ada.memoryId, "mp4")] as const;
  for (const name of names) await uploadResumably({ url, token: ada.token, name, bytes: tinyVideo() });
  await db.query("update media set playback = 'ready', motion = 'ready' where memory_id = $1", [ada.memoryId]);
  const { rows } = await db.query<{ version: string }>("select version from storage.objects where name = $1", [
    names[1],
  ]);
  const version = rows[0]?.version ?? "";
  for (const keep of [files.videos.keepPlayable, files.videos.keepMotion] as const) {
    const part = await files.videos.partPath(version);
    await writeFile(part, "a copy");
    await keep(version, part, "video/mp4");
  }
  await runOnce(missingCopiesJob({ db, files }));
  const state = async (name: string) =>
    (await db.query("select playback, motion from media where object_name = $1", [name])).rows[0];
  expect(await state(names[0])).toEqual({ playback: null, motion: "waiting" });
  expect(await state(names[1])).toEqual({ playback: "ready", motion: "ready" });
});

test("a second process on the same database can finish an upload", async () => {
  const name = freshName(ada.memoryId);
  const { uploadUrl } = await begin(name);
  const other = uploadUrl.replace(url, second.url);
  await uploadResumably({ url: second.url, token: ada.token, name, bytes: photo }, { uploadUrl: other });
  expect((await download(name))?.equals(photo)).toBe(true);
  const { data } = await second.client(ada.token).storage.from("media").download(name);
  expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(photo)).toBe(true);
});
