import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { makeBackup } from "../../server/backup/backup.ts";
import { placeKey } from "../../server/backup/known-places.ts";
import { findBackups } from "../../server/backup/manifest.ts";
import { folderPlace } from "../../server/backup/place.ts";
import { backupIfDue, type ScheduledBackup } from "../../server/backup/scheduled.ts";
import { openVault } from "../../server/backup/vault.ts";
import { openFiles } from "../../server/files/files.ts";
import { openMetrics } from "../../server/http/metrics.ts";
import { openRootKeys } from "../../server/settings/secrets.ts";
import { emptyInstallation, freshFolder, PASSPHRASE, sourceOf, workFactor } from "../support/backups.ts";
import { testDatabase } from "../support/database.ts";

const db = await testDatabase();
let dataDir: string;
/** The disk of the backups. */
let disk: string;
let backup: ScheduledBackup;

beforeAll(async () => {
  dataDir = await freshFolder();
  await openRootKeys({ dataDir });
});
beforeEach(async () => {
  disk = await freshFolder();
  const [to, storageFolder] = [join(disk, "backups"), join(dataDir, "storage")];
  backup = { to, storageFolder, everyHours: 24, keepDays: 30, rootKey: { dataDir } };
});

const GONE = /^The backups in .+ are gone: the newest one was of \S+\. Mount their disk, .+ begins anew\.$/;
const backUp = () => backupIfDue(backup, db.url);
const open = (create = false) =>
  openVault(folderPlace(backup.to), { create, workFactor, passphrase: backup.passphrase });
const source = async () => sourceOf({ db, files: await openFiles(backup.storageFolder), dataDir });
/** The metrics of a process that starts now. */
async function metricsOf(place: string) {
  const metrics = openMetrics(db, { version: "1", dataDir, worker: undefined, backup: { place, everyHours: 24 } });
  const samples = await metrics.samples();
  return (name: string) => Number(samples.find((one) => one.name === `skies_${name}`)?.values[0]?.value);
}

test("a disk of backups that is not mounted any more gets no new backups below, and has them again afterwards", async () => {
  await backUp();
  await rename(disk, `${disk}-unmounted`);
  try {
    await expect(backUp()).rejects.toThrow(GONE);
    // Again, as the job does it, and below an empty mount point.
    await expect(backUp()).rejects.toThrow(GONE);
    expect(await readdir(disk).catch(() => [])).toEqual([]);
  } finally {
    await rm(disk, { recursive: true, force: true });
    await rename(`${disk}-unmounted`, disk);
  }
  expect((await backUp()).next).toBeGreaterThan(0);
  expect((await findBackups(await open())).whole).toHaveLength(1);
});

test("another disk with older backups is not taken for the one that is missing", async () => {
  const early = await open(true);
  await makeBackup(await source(), early, { now: () => new Date(Date.now() - 5 * 86_400_000) });
  await rename(backup.to, `${backup.to}-older`);
  await db.query("delete from private.backup_places");
  await backUp();
  await rename(backup.to, `${backup.to}-newer`);
  await rename(`${backup.to}-older`, backup.to);
  await expect(backUp()).rejects.toThrow(GONE);
  expect((await findBackups(await open())).whole).toHaveLength(1);
});

test("after its backups were removed on purpose, a backup by hand begins anew", async () => {
  await backUp();
  await rm(backup.to, { recursive: true });
  await expect(backUp()).rejects.toThrow(GONE);
  await makeBackup(await source(), await open(true));
  expect((await backUp()).next).toBeGreaterThan(0);
});

test("a process knows from its start when the newest backup was made, whoever made it", async () => {
  const begunAt = new Date(Math.floor(Date.now() / 1000 - 20 * 3600) * 1000);
  await makeBackup(await source(), await open(true), { now: () => begunAt });
  const place = placeKey(backup.to);
  expect((await metricsOf(place))("backup_newest_timestamp_seconds")).toBe(begunAt.getTime() / 1000);
  expect((await metricsOf(place))("backup_interval_seconds")).toBe(86_400);

  // An earlier version made one.
  await db.query("delete from private.backup_places");
  await backUp();
  expect((await metricsOf(place))("backup_newest_timestamp_seconds")).toBe(begunAt.getTime() / 1000);
});

test("without any backup, the time counts from the first attempt", async () => {
  backup.to = join(disk, "file/backups");
  await writeFile(join(disk, "file"), "");
  await expect(backUp()).rejects.toThrow();
  await db.query(
    "update private.backup_places set known_since = 'epoch'::timestamptz + interval '1 day' where place = $1",
    [placeKey(backup.to)],
  );
  expect((await metricsOf(placeKey(backup.to)))("backup_newest_timestamp_seconds")).toBe(86_400);
});

test("a restored installation makes backups in an empty place with the same name", async () => {
  // Only an encrypted backup contains the server's key.
  backup.passphrase = PASSPHRASE;
  await open(true);
  await backUp();
  const other = await emptyInstallation();
  await other.restore(await open());
  await rm(backup.to, { recursive: true });
  await backupIfDue({ ...backup, storageFolder: join(other.dataDir, "storage") }, other.url);
  expect((await findBackups(await open())).whole).toHaveLength(1);
});
