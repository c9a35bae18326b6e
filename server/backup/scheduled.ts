import { openCopyConnection } from "../database/copy-rows.ts";
import { openFiles } from "../files/files.ts";
import type { S3Files, S3Service } from "../files/s3/bucket.ts";
import { openRootKeys } from "../settings/secrets.ts";
import { makeBackup } from "./backup.ts";
import { newestKnown, noteNewest } from "./known-places.ts";
import { findBackups, timeOf } from "./manifest.ts";
import { BackupError, type BackupPlace, openPlace } from "./place.ts";
import { isVault, openVault, type Vault } from "./vault.ts";

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

/**
 * Makes a backup if the newest one is old enough. Its time is read from the backups themselves. Rejects with
 * {@link BackupError} if the place had backups and has lost them: its disk is not mounted, and below lies another one.
 */
export async function backupIfDue(
  { to, service, passphrase, everyHours, keepDays, storageFolder, s3, rootKey }: ScheduledBackup,
  databaseUrl: string,
): Promise<ScheduledResult> {
  const { vault, newest } = await openKnown(await openPlace({ to, service, files: s3 }), passphrase, databaseUrl);
  const interval = everyHours * HOUR_MS;
  const age = newest ? Date.now() - timeOf(newest).getTime() : Number.POSITIVE_INFINITY;
  // After the clock was set back, backups are dated in the future and do not count.
  if (age >= 0 && age < interval) return { next: interval - age, unreadable: 0 };
  const files = await openFiles(storageFolder, s3);
  try {
    const source = { databaseUrl, objects: files.objects, rootKeys: await openRootKeys(rootKey) };
    const result = await makeBackup(source, vault, { keepDays });
    return { next: interval, unreadable: result.unreadable.length };
  } finally {
    files.close();
  }
}

/** Opens a place with the name of its newest backup, and compares it with what was there last. */
async function openKnown(
  place: BackupPlace,
  passphrase: string | undefined,
  databaseUrl: string,
): Promise<{ vault: Vault; newest: string | undefined }> {
  const connection = await openCopyConnection(databaseUrl);
  try {
    const lastBackupAt = await newestKnown(connection, place.title);
    const lost = () =>
      new BackupError(
        `The backups in ${place.title} are gone: the newest one was of ${lastBackupAt?.toISOString()}. Mount their disk, or set BACKUP_TO to another place. If they were removed on purpose, npm run backup -- ${place.title} begins anew.`,
      );
    if (lastBackupAt && !(await isVault(place))) throw lost();
    const vault = await openVault(place, { passphrase, create: true });
    const newest = (await findBackups(vault)).whole.at(-1);
    if (lastBackupAt && !(newest && timeOf(newest) >= lastBackupAt)) throw lost();
    if (newest) await noteNewest(connection, place.title, timeOf(newest));
    return { vault, newest };
  } finally {
    await connection.close().catch(() => {});
  }
}
