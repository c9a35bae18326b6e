import type { ScheduledBackup } from "../backup/scheduled.ts";
import type { Database } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import type { Payments } from "../gateways/payments.ts";
import { ordersWithoutAccountJob } from "../orders/orders-without-account.ts";
import { reconcileJob } from "../orders/reconcile.ts";
import type { Keyring } from "../supabase/sealed.ts";
import { backupJob } from "./backup.ts";
import { editsJob } from "./edits.ts";
import { filmsJob } from "./films/film-job.ts";
import { figuresJob, keyRotationJob, purgeTrashJob, retentionJob, strayBytesJob, sweepJob } from "./housekeeping.ts";
import { noticesJob } from "./notices/notices-job.ts";
import { oneProcess } from "./one-process.ts";
import type { Gateways, Writing } from "./outbox-delivery.ts";
import { outboxJob } from "./outbox-job.ts";
import { planTermsJob } from "./plan-terms.ts";
import { type ReadBackLimits, readBackJob } from "./read-back/read-back-job.ts";
import { coversJob, renditionsJob } from "./renditions.ts";
import { replyRemindersJob } from "./reply-reminders.ts";
import { revealsJob } from "./reveals.ts";
import type { Ffmpeg } from "./video/ffmpeg.ts";
import { missingCopiesJob } from "./video/missing-copies.ts";
import { motionsJob } from "./video/motion-job.ts";
import { playbackJob } from "./video/playback-job.ts";
import { postersJob } from "./video/posters-job.ts";
import { streamCopiesJob } from "./video/stream-copies.ts";
import type { Job } from "./worker.ts";

export interface JobDeps extends Writing {
  db: Database;
  files: Files;
  gateways: Gateways;
  /** The public URL without a trailing slash. */
  site: string;
  payments?: Payments | undefined;
  /** Encrypts signing keys; without it they are not rotated. */
  sealingSecret?: Keyring;
  /** Absent without automatic backups. */
  backup?: ScheduledBackup | undefined;
  /** Absent if stored files are not read again. */
  readBack?: ReadBackLimits | undefined;
  /** Absent without ffmpeg. */
  ffmpeg?: Ffmpeg | undefined;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

/** Releases the claims of killed processes. Allowed only if no other process uses the database. */
export const releaseClaims = (db: Database): Promise<void> =>
  db.exec("update private.work set due_at = '-infinity' where claim is not null");

/** Every job of this installation. */
export function jobsFor(deps: JobDeps): Job[] {
  const { payments, sealingSecret, backup, readBack } = deps;
  const once = (job: Job) => oneProcess(deps.db, job);
  return [
    once(retentionJob(deps)),
    once(figuresJob(deps)),
    ...(sealingSecret ? [once(keyRotationJob({ ...deps, sealingSecret }))] : []),
    once(replyRemindersJob(deps)),
    once(revealsJob(deps)),
    sweepJob(deps),
    once(strayBytesJob(deps)),
    once(missingCopiesJob(deps)),
    ...(readBack ? [once(readBackJob({ ...deps, limits: readBack }))] : []),
    purgeTrashJob(deps),
    renditionsJob(deps),
    editsJob(deps),
    coversJob(deps),
    streamCopiesJob({ ...deps, ffmpeg: deps.ffmpeg }),
    ...(deps.ffmpeg ? [once(postersJob({ ...deps, ffmpeg: deps.ffmpeg }))] : []),
    playbackJob({ ...deps, ffmpeg: deps.ffmpeg }),
    filmsJob({ ...deps, ffmpeg: deps.ffmpeg }),
    motionsJob({ ...deps, ffmpeg: deps.ffmpeg }),
    // Runs without payments too, because plans still end and replace each other.
    planTermsJob(deps),
    ...(payments ? [once(reconcileJob({ ...deps, payments })), ordersWithoutAccountJob({ ...deps, payments })] : []),
    ...(backup ? [backupJob({ ...deps, backup })] : []),
    noticesJob(deps),
    outboxJob(deps),
  ];
}
