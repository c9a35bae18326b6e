import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { recoverInThread } from "../../backup/backup-thread.ts";
import { measuring } from "../../backup/manifest.ts";
import type { ScheduledBackup } from "../../backup/scheduled.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { PacedReader, StoredFile } from "./paced-reader.ts";
import { isCurrent } from "./stored-files.ts";

export interface Restoring {
  db: Database;
  files: Files;
  /** Absent without automatic backups. */
  backup?: ScheduledBackup | undefined;
  /** Ends the work. */
  signal: AbortSignal;
}

/** The number of other objects with the same bytes that are tried. */
const TWINS = 3;

/**
 * Replaces the bytes of a file by those of an intact copy: of another object with the same checksum, or of a backup. The
 * copy is compared with the checksum before it takes their place, in one step; until then the old bytes stay. Resolves
 * to whether there was one. Rejects if the backups, the disk or the store cannot be used at the moment.
 */
export async function restoreBytes(deps: Restoring, reader: PacedReader, file: StoredFile): Promise<boolean> {
  const { db, files, backup, signal } = deps;
  // The name of a local copy: if this process is killed, the sweep removes it.
  const path = join(files.parts, `${file.version}.${randomUUID()}`);
  try {
    const isCopied =
      (await copyTwin(deps, reader, file, path)) ||
      (backup !== undefined && (await recoverInThread(backup, { ...file, path }, signal)) !== undefined);
    if (!isCopied) return false;
    // Bytes of an object that was deleted meanwhile would be strays.
    if (await isCurrent(db, file)) await files.objects.put({ bucket: file.bucket, version: file.version }, path);
    return true;
  } finally {
    await rm(path, { force: true });
  }
}

/** Copies the bytes of another object that has the same checksum into a local file. */
async function copyTwin({ db, files, signal }: Restoring, reader: PacedReader, file: StoredFile, path: string) {
  if (file.sha256 === null) return false;
  const { rows } = await db.query<{ bucket: string; version: string }>(
    `select o.bucket_id as bucket, o.version from storage.objects o
     where o.metadata ->> 'sha256' = $1 and o.id <> $2 and not exists (select from private.damaged_files x where x.object_id = o.id)
     limit ${TWINS}`,
    [file.sha256, file.id],
  );
  for (const twin of rows) {
    const measured = measuring();
    try {
      const target = createWriteStream(path, { mode: 0o600, flush: true });
      await pipeline(reader.paced(await files.objects.read(twin)), measured.stream, target);
    } catch {
      signal.throwIfAborted();
      continue;
    }
    if (measured.sha256() === file.sha256) return true;
  }
  return false;
}
