import { join } from "node:path";
import type { FastifyInstance, RouteOptions } from "fastify";
import { createApp } from "./app.ts";
import type { Database } from "./database/database.ts";
import { memoryPictures } from "./emails/memory-picture.ts";
import { type Files, openFiles } from "./files/files.ts";
import type { LogStream } from "./http/request-log.ts";
import { processReportJob } from "./jobs/housekeeping.ts";
import { jobsFor } from "./jobs/jobs.ts";
import { writeNotices } from "./jobs/notices/notice-emails.ts";
import type { Ffmpeg } from "./jobs/video/ffmpeg.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { refusalCount } from "./limits/count-refusals.ts";
import { openGateways, openPaymentGateway } from "./open-gateways.ts";
import { withSandboxes } from "./sandboxes.ts";
import { openSecrets, type Secrets } from "./settings/secrets.ts";
import type { Settings } from "./settings/settings.ts";
import { stoppingNotices, unsubscribing } from "./unsubscribing/unsubscribing.ts";

export interface ServiceOptions {
  /** The database with every migration applied; it is closed by the person who opened it. */
  db: Database | Promise<Database>;
  /** The built web app; without it no path answers with a page. */
  webFolder?: string | undefined;
  /** Makes copies of videos, where it is installed. */
  ffmpeg?: Ffmpeg | undefined;
  /** Whether third parties that the settings do not name are replaced by sandboxes: as a rule, and never in production. */
  sandboxes?: boolean | undefined;
  /** What this is a version of. */
  version?: string | undefined;
  /** Where the log goes; standard output without it. */
  logStream?: LogStream | undefined;
  /** Hears of every route as it is added. */
  onRoute?: ((route: RouteOptions) => void) | undefined;
}

/** All parts of one server, connected with each other. */
export interface Services {
  /** Answers requests once it listens. */
  app: FastifyInstance;
  /** Those given, and the sandboxes' own where they name no third party. */
  settings: Settings;
  secrets: Secrets;
  files: Files;
  /** Starts the work that outlives requests. */
  startJobs(): void;
  /** Ends requests and jobs, each within its time, then what both use. */
  close(): Promise<void>;
}

/** The one place where the server's parts are made and connected. Nothing listens and no job runs yet. */
export async function createServices(given: Settings, options: ServiceOptions): Promise<Services> {
  const sandboxed = options.sandboxes === false ? { settings: given, pages: {}, close: async () => {} } : undefined;
  const [db, { settings, pages, close: closeSandboxes }, secrets, files] = await Promise.all([
    options.db,
    sandboxed ?? withSandboxes(given),
    openSecrets({ secretKey: given.SECRET_KEY, dataDir: given.DATA_DIR }),
    openFiles(join(given.DATA_DIR, "storage"), given.s3),
  ]);
  const { webFolder, logStream, onRoute, version } = options;
  const refusals = refusalCount();
  let worker: Worker | undefined;
  const metrics = settings.METRICS_PORT === undefined ? undefined : (await import("./http/metrics.ts")).openMetrics(db);
  metrics?.watchJobs(() => worker?.states() ?? []);
  const app = await createApp({
    db,
    settings,
    secrets,
    files,
    webFolder,
    sandboxes: pages,
    logStream,
    onRoute,
    metrics,
    version,
    refusals,
    jobStates: () => worker?.states() ?? [],
  });

  if (metrics && settings.METRICS_PORT !== undefined)
    await metrics.listen(settings.METRICS_PORT, settings.METRICS_HOST);

  return {
    app,
    settings,
    secrets,
    files,
    startJobs() {
      const emails = { db, secret: secrets.unsubscribing, publicUrl: settings.publicUrl };
      const jobs = jobsFor({
        db,
        files,
        gateways: openGateways(settings),
        site: settings.publicUrl,
        payments: openPaymentGateway(settings),
        wishes: unsubscribing(emails),
        pictures: memoryPictures({ db, files }),
        notices: writeNotices({ ...emails, stopping: stoppingNotices(emails) }),
        sealingSecret: secrets.sealing,
        backup: settings.BACKUP_TO
          ? {
              to: settings.BACKUP_TO,
              service: settings.backupS3,
              passphrase: settings.BACKUP_PASSPHRASE,
              everyHours: settings.BACKUP_EVERY_HOURS,
              keepDays: settings.BACKUP_KEEP_DAYS,
              storageFolder: join(settings.DATA_DIR, "storage"),
              s3: settings.s3,
              rootKey: { secretKey: settings.SECRET_KEY, dataDir: settings.DATA_DIR },
            }
          : undefined,
        ffmpeg: options.ffmpeg,
        log: app.log,
      });
      const report = processReportJob({ db, states: () => worker?.states() ?? [], refusals });
      worker ??= startWorker([...jobs, report], { db, log: app.log });
    },
    async close() {
      await Promise.all([app.close(), worker?.stop()]);
      await metrics?.close();
      await closeSandboxes();
      files.close();
    },
  };
}
