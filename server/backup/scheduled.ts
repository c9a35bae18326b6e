import { openFiles } from "../files/files.ts";
import type { S3Files, S3Service } from "../files/s3/bucket.ts";
import { openRootKeys } from "../settings/secrets.ts";
import { makeBackup } from "./backup.ts";
import { findBackups, timeOf } from "./manifest.ts";
import { openPlace } from "./place.ts";
import { openVault } from "./vault.ts";

const HOUR_MS = 3_600_000;

/** Settings of automatic backups. */
export interface ScheduledBackup {
  /** The folder, or `s3://bucket/prefix`. */
  to: string;
  /** The service of the bucket. */
  service?: S3Service | undefined;
  passphrase?: string | undefined;
  everyHours: number;
  /** Days after which a backup is removed. */
  keepDays: number;
  /** The installation's folder of stored files. */
  storageFolder: string;
  s3?: S3Files | undefined;
  rootKey: { secretKey?: string | undefined; dataDir: string };
}

export interface ScheduledResult {
  /** Milliseconds until the next backup. */
  next: number;
  /** Objects without readable bytes. */
  unreadable: number;
}

/** Makes a backup if the newest one is old enough. Its time is read from the backups themselves. */
export async function backupIfDue(
  { to, service, passphrase, everyHours, keepDays, storageFolder, s3, rootKey }: ScheduledBackup,
  databaseUrl: string,
): Promise<ScheduledResult> {
  const vault = await openVault(await openPlace({ to, service, files: s3 }), { passphrase, create: true });
  const interval = everyHours * HOUR_MS;
  const newest = (await findBackups(vault)).whole.at(-1);
  const age = newest ? Date.now() - timeOf(newest).getTime() : Number.POSITIVE_INFINITY;
  // After the clock was set back, backups are dated in the future and do not count.
  if (age >= 0 && age < interval) return { next: interval - age, unreadable: 0 };
  const files = await openFiles(storageFolder, s3);
  try {
    const source = { databaseUrl, objects: files.objects, rootKeys: await openRootKeys(rootKey) };
    const made = await makeBackup(source, vault, { keepDays });
    return { next: interval, unreadable: made.unreadable.length };
  } finally {
    files.close();
  }
}
