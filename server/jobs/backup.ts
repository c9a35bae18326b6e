import { backupInThread } from "../backup/backup-thread.ts";
import type { ScheduledBackup } from "../backup/scheduled.ts";
import type { Database } from "../database/database.ts";
import { HOUR_MS } from "./housekeeping.ts";
import type { Job } from "./worker.ts";

interface BackupDeps {
  db: Pick<Database, "url">;
  backup: ScheduledBackup;
  log: { warn(fields: object, message: string): void };
}

/** Makes backups at the configured interval. One process makes a backup; the others find that it exists. */
export const backupJob = ({ db, backup, log }: BackupDeps): Job => ({
  name: "backup",
  interval: HOUR_MS,
  async run({ requested }) {
    const result = await backupInThread(backup, db.url, requested);
    if (result?.unreadable) log.warn({ objects: result.unreadable }, "A backup lacks objects that cannot be read");
    return result?.next;
  },
});
