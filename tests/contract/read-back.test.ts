import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { makeBackup } from "../../server/backup/backup.ts";
import { folderPlace } from "../../server/backup/place.ts";
import type { ScheduledBackup } from "../../server/backup/scheduled.ts";
import { openVault } from "../../server/backup/vault.ts";
import type { Database } from "../../server/database/database.ts";
import type { Files } from "../../server/files/files.ts";
import { MissingBytesError, ObjectStorageError } from "../../server/files/object-store.ts";
import { openMetrics } from "../../server/http/metrics.ts";
import { jobsFor } from "../../server/jobs/jobs.ts";
import { tellPeople } from "../../server/jobs/notices/notices-job.ts";
import { readBackJob } from "../../server/jobs/read-back/read-back-job.ts";
import { freshFolder, hashOf, PASSPHRASE, photo, sourceOf, workFactor } from "../support/backups.ts";
import { runOnce } from "../support/jobs.ts";
import { LONG } from "../support/long-tests.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { staffMember } from "../support/staff.ts";
import { freshName } from "../support/uploads.ts";

const server = await testServer();
const { db, files, dataDir } = server;
const objects = join(dataDir, "storage/objects");
const GIB = 1024 ** 3;
const limits = { days: 90, maxBytesPerDay: 100 * GIB };
const silent = { warn() {}, error() {} };

let ada: Owner;
let admin: Awaited<ReturnType<typeof staffMember>>;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  await db.query("update auth.users set email_confirmed_at = now() where id = $1", [ada.userId]);
  admin = await staffMember(server, "admin");
});
beforeEach(async () => {
  await db.exec(
    "delete from storage.objects; delete from notices; delete from private.outbox; delete from private.read_back",
  );
});

interface Stored {
  id: string;
  name: string;
  path: string;
  bytes: Buffer;
}

/** Uploads a photo through the server. */
async function store(bytes?: Buffer): Promise<Stored> {
  const content = bytes ?? (await photo());
  const name = freshName(ada.memoryId);
  const { error } = await server.client(ada.token).storage.from("media").upload(name, content);
  if (error) throw error;
  const { rows } = await db.query<{ id: string; version: string }>(
    "select id, version from storage.objects where name = $1",
    [name],
  );
  const { id = "", version = "" } = rows[0] ?? {};
  return { id, name, path: join(objects, "media", version), bytes: content };
}
const storeMany = async (count: number) => {
  const stored: Stored[] = [];
  while (stored.length < count) stored.push(await store());
  return stored;
};

async function flipByte({ path, bytes }: Stored) {
  const other = Buffer.from(bytes);
  other.writeUInt8(other.readUInt8(other.length >> 1) ^ 1, other.length >> 1);
  await writeFile(path, other);
}

interface Round {
  backup?: ScheduledBackup;
  files?: Files;
  db?: Database;
}

/** Reads every file again, as if the time for it had come. */
async function round({ backup, ...other }: Round = {}): Promise<void> {
  await db.exec(`insert into private.read_back (due_at) values ('-infinity') on conflict (id) do update
    set last_read = '00000000-0000-0000-0000-000000000000', due_at = '-infinity', started_at = now()`);
  await runOnce(readBackJob({ db, files, log: silent, limits, backup, ...other }));
}
const damaged = async () =>
  (
    await db.query<{ object_id: string; kind: string; lost: boolean; told: boolean }>(
      `select object_id, kind, lost_at is not null as lost, told_at is not null as told from private.damaged_files order by found_at`,
    )
  ).rows;
const totals = async () =>
  (
    await db.query<{ files: number; differences: number; mended: number }>(
      "select files::int, differences::int, mended::int from private.read_back",
    )
  ).rows[0];
/** Moves the damaged files so many hours into the past. */
const passHours = (hours: number) =>
  db.query(
    `update private.damaged_files set found_at = found_at - make_interval(hours => $1), next_at = next_at - make_interval(hours => $1),
       lost_at = lost_at - make_interval(hours => $1)`,
    [hours],
  );
const notices = async () =>
  (
    await db.query<{ user_id: string; media_id: string; count: number }>(
      "select user_id, media_id, count from notices where kind = 'file-lost'",
    )
  ).rows;
const samplesOf = async (name: string) => {
  const metrics = openMetrics(db, { version: "1", dataDir: tmpdir(), worker: undefined });
  return (await metrics.samples()).find((metric) => metric.name === `skies_${name}`)?.values;
};

/** The files with a store whose reading is replaced. */
const filesWith = (more: Partial<Files["objects"]>): Files => ({ ...files, objects: { ...files.objects, ...more } });

/** Makes an encrypted backup, and resolves to the server's settings for it. */
async function backUp(): Promise<ScheduledBackup> {
  const to = await freshFolder();
  const vault = await openVault(folderPlace(to), { passphrase: PASSPHRASE, create: true, workFactor });
  await makeBackup(await sourceOf(server), vault);
  const storageFolder = join(dataDir, "storage");
  return { to, passphrase: PASSPHRASE, everyHours: 24, keepDays: 30, storageFolder, rootKey: { dataDir } };
}

test("a changed byte, a missing end and a missing file are restored from the backup, byte for byte", async () => {
  const stored = await storeMany(5);
  const backup = await backUp();
  const [flipped, cut, long, gone] = stored as [Stored, Stored, Stored, Stored, Stored];
  await flipByte(flipped);
  await truncate(cut.path, cut.bytes.length - 100);
  await writeFile(long.path, Buffer.concat([long.bytes, randomBytes(10)]));
  await rm(gone.path);

  await round({ backup });

  for (const { path, bytes } of stored) expect(hashOf(await readFile(path))).toBe(hashOf(bytes));
  const answer = await server.client(ada.token).storage.from("media").download(flipped.name);
  expect(hashOf(Buffer.from((await answer.data?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(hashOf(flipped.bytes));
  expect([await damaged(), await notices()]).toEqual([[], []]);
  expect(await totals()).toEqual({ files: 5, differences: 4, mended: 4 });
  expect(await samplesOf("read_back")).toContainEqual(
    expect.objectContaining({ labels: { count: "mended" }, value: 4 }),
  );
});

test("a file without an intact copy is shown at the desk, and its owner is told once", async () => {
  const [lost, fine] = (await storeMany(2)) as [Stored, Stored];
  await flipByte(lost);
  await round();
  expect(await damaged()).toEqual([{ object_id: lost.id, kind: "other-bytes", lost: true, told: false }]);
  expect(await samplesOf("damaged_files")).toContainEqual(
    expect.objectContaining({ labels: { state: "lost" }, value: 1 }),
  );
  const { data } = await admin.client.rpc("desk_read_back").throwOnError();
  expect(data).toMatchObject({
    lost: 1,
    mending: 0,
    files: [{ object_id: lost.id, kind: "other-bytes", mime_type: "image/jpeg", size: lost.bytes.length }],
  });
  expect(JSON.stringify(data)).not.toContain(ada.memoryId);

  // An administrator has a day to connect a copy.
  await passHours(23);
  await round();
  expect(await notices()).toEqual([]);
  await passHours(2);
  await round();
  const notice = { user_id: ada.userId, media_id: lost.id, count: 1 };
  expect(await notices()).toEqual([notice]);
  for (const hours of [24, 200, 200]) {
    await passHours(hours);
    await round();
  }
  expect(await notices()).toEqual([notice]);
  await tellPeople(db, new Date(Date.now() + 2 * 3_600_000));
  const mails = await db.query<{ template: string; recipient: string }>(
    "select template, recipient from private.outbox",
  );
  expect(mails.rows).toEqual([{ template: "file-lost", recipient: `${ada.userId}@example.com` }]);
  expect(hashOf(await readFile(fine.path))).toBe(hashOf(fine.bytes));

  // An administrator finds the bytes.
  await writeFile(lost.path, lost.bytes);
  expect((await admin.client.rpc("retry_read_back").throwOnError()).data).toBe(1);
  await round();
  expect([await damaged(), await notices()]).toEqual([[], []]);
});

test("several lost files of a memory are one notice", async () => {
  const stored = await storeMany(5);
  for (const { path } of stored.slice(0, 2)) await writeFile(path, "");
  await round();
  await passHours(25);
  await round();
  expect(await notices()).toMatchObject([{ user_id: ada.userId, count: 2 }]);
});

test.runIf(LONG)(
  "nothing is said while the backups cannot be read, and the file is restored once they can",
  async () => {
    const [flipped] = (await storeMany(2)) as [Stored];
    const backup = await backUp();
    await flipByte(flipped);
    await rename(backup.to, `${backup.to}-unmounted`);
    for (const hours of [0, 30, 300]) {
      await passHours(hours);
      await round({ backup });
    }
    expect(await damaged()).toEqual([{ object_id: flipped.id, kind: "other-bytes", lost: false, told: false }]);
    expect(await notices()).toEqual([]);
    await rename(`${backup.to}-unmounted`, backup.to);
    await passHours(2);
    await round({ backup });
    expect(await damaged()).toEqual([]);
    expect(hashOf(await readFile(flipped.path))).toBe(hashOf(flipped.bytes));
  },
);

test.runIf(LONG)("a damaged copy in the backup is not restored", async () => {
  const [flipped] = (await storeMany(2)) as [Stored];
  const backup = { ...(await backUp()), to: await freshFolder(), passphrase: undefined };
  const vault = await openVault(folderPlace(backup.to), { create: true });
  await makeBackup(await sourceOf(server), vault);
  await writeFile(join(backup.to, vault.objectName(hashOf(flipped.bytes))), randomBytes(flipped.bytes.length));
  await flipByte(flipped);
  const before = await readFile(flipped.path);
  await round({ backup });
  expect(await damaged()).toMatchObject([{ object_id: flipped.id, lost: true }]);
  expect((await readFile(flipped.path)).equals(before)).toBe(true);
});

test.each([
  ["the folder is not mounted", async () => {}],
  ["another disk is mounted", () => mkdir(join(objects, "media"), { recursive: true })],
])("no file is judged while %s", async (_why, mount) => {
  await storeMany(3);
  const backup = await backUp();
  await rename(objects, `${objects}-unmounted`);
  onTestFinished(async () => {
    await rm(objects, { recursive: true, force: true });
    await rename(`${objects}-unmounted`, objects);
  });
  await mount();
  await expect(round({ backup })).rejects.toThrow("not available");
  expect([await damaged(), await notices(), (await totals())?.files]).toEqual([[], [], 0]);
});

test("no file is judged while the object storage does not answer, also if there is only one", async () => {
  await store();
  const isDown = filesWith({
    read: () => Promise.reject(new ObjectStorageError(new Error("connect ECONNREFUSED"))),
    isAvailable: async () => false,
  });
  await expect(round({ files: isDown })).rejects.toThrow("not available");
  expect(await damaged()).toEqual([]);
  await round();
  expect(await totals()).toMatchObject({ files: 1, differences: 0 });
});

test.runIf(LONG)("a file that alone cannot be read for a day is restored like a damaged one", async () => {
  const [bad] = (await storeMany(2)) as [Stored];
  const backup = await backUp();
  let isBad = true;
  const badSector = filesWith({
    read: (key, range) =>
      isBad && bad.path.endsWith(key.version)
        ? Promise.reject(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }))
        : files.objects.read(key, range),
    async put(key, part) {
      await files.objects.put(key, part);
      isBad = false;
    },
  });
  for (const hours of [0, 9, 9]) {
    await passHours(hours);
    await round({ files: badSector, backup });
    expect(await damaged()).toEqual([{ object_id: bad.id, kind: "unreadable", lost: false, told: false }]);
  }
  await passHours(9);
  await round({ files: badSector, backup });
  expect([isBad, await damaged()]).toEqual([false, []]);
});

test("a file that is deleted while it is read, or read wrongly once, is no difference", async () => {
  const [first, second] = (await storeMany(2)) as [Stored, Stored];
  const isDeleted = filesWith({
    async read(key, range) {
      if (!first.path.endsWith(key.version)) return files.objects.read(key, range);
      await db.query("delete from storage.objects where id = $1", [first.id]);
      throw new MissingBytesError(key);
    },
  });
  await round({ files: isDeleted });
  expect(await damaged()).toEqual([]);
  let readings = 0;
  const wrongOnce = filesWith({
    async read(key, range) {
      readings += 1;
      return readings === 1 ? Readable.from([randomBytes(second.bytes.length)]) : files.objects.read(key, range);
    },
  });
  await round({ files: wrongOnce });
  expect([readings, await damaged()]).toEqual([2, []]);
});

test("an item with the same bytes is a copy, and a run that ends after any statement is completed by the next", async () => {
  const twin = await store();
  const flipped = await store(twin.bytes);
  const stop = () => {
    throw new Error("killed");
  };
  for (let statements = 0; ; statements += 1) {
    await flipByte(flipped);
    let remaining = statements;
    const query: Database["query"] = (...args) => {
      remaining -= 1;
      return remaining < 0 ? stop() : db.query(...args);
    };
    const dying: Database = Object.assign(Object.create(db), { query });
    const isKilled = await round({ db: dying }).then(
      () => false,
      () => true,
    );
    await db.query("update private.damaged_files set next_at = now()");
    await round();
    expect(hashOf(await readFile(flipped.path)), `after ${statements} statements`).toBe(hashOf(flipped.bytes));
    expect(await damaged()).toEqual([]);
    if (!isKilled) break;
    expect(statements).toBeLessThan(60);
  }
});

test("a file that was stored without a checksum gets one", async () => {
  const { id, bytes } = await store();
  await db.query("update storage.objects set metadata = metadata - 'sha256' - 'crc32' where id = $1", [id]);
  await db.query("update media_details set content_hash = null where media_id = $1", [id]);
  await round();
  const { rows } = await db.query("select metadata ->> 'sha256' as sha256 from storage.objects where id = $1", [id]);
  expect(rows).toEqual([{ sha256: hashOf(bytes) }]);
});

test("a run reads no more than the hour's share, and processes share one round", async () => {
  await storeMany(3);
  await round();
  expect(await totals()).toMatchObject({ files: 3 });
  // The round is complete, so the next one waits.
  await runOnce(readBackJob({ db, files, log: silent, limits }));
  expect(await totals()).toMatchObject({ files: 3 });

  await db.exec(
    `update private.read_back set last_read = '00000000-0000-0000-0000-000000000000', due_at = now(), started_at = now()`,
  );
  const slow = { days: 90, maxBytesPerDay: 1024 * 1024 };
  const both = [0, 1].map(() =>
    jobsFor({ db, files, gateways: {}, site: server.url, readBack: slow, log: silent }).filter(
      ({ name }) => name === "read-back",
    ),
  );
  await Promise.all(both.flat().map(runOnce));
  expect(await totals()).toMatchObject({ files: 4 });
  const { rows } = await db.query<{ waits: boolean }>(
    "select due_at > now() + interval '30 minutes' as waits from private.read_back",
  );
  expect(rows).toEqual([{ waits: true }]);
});
