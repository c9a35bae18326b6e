import { join } from "node:path";
import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from "fastify";
import { createApp } from "./app.ts";
import { placeKey } from "./backup/known-places.ts";
import type { Database } from "./database/database.ts";
import { type Files, openFiles } from "./files/files.ts";
import type { Metrics } from "./http/metrics.ts";
import type { LogStream } from "./http/request-log.ts";
import { processReportJob } from "./jobs/housekeeping.ts";
import { jobsFor } from "./jobs/jobs.ts";
import type { Ffmpeg } from "./jobs/video/ffmpeg.ts";
import { sequenceDecoder } from "./jobs/video/sequence-frames.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { refusalCount } from "./limits/count-refusals.ts";
import { withSandboxes } from "./sandboxes.ts";
import { servicesOfJobs } from "./services.ts";
import { openSecrets, type Secrets } from "./settings/secrets.ts";
import type { Settings } from "./settings/settings.ts";

export interface ServerOptions {
  /** The database with every migration applied. The caller that opened it closes it. */
  db: Database | Promise<Database>;
  /** The folder of the built web app. Without it, the server serves no pages. */
  webFolder?: string | undefined;
  /** Makes copies of videos and of animated AVIFs; absent if not installed. */
  ffmpeg?: Ffmpeg | undefined;
  /** Whether sandboxes replace third parties that are not configured. Default: true, except in production. */
  sandboxes?: boolean | undefined;
  /** Set in a worker process: its number, and plugins that forward to the primary's sandbox pages. */
  worker?: { id: number; pages: Record<string, FastifyPluginAsync> } | undefined;
  /** The product's version. */
  version?: string | undefined;
  /** Where the log goes; standard output without it. */
  logStream?: LogStream | undefined;
  /** Called with each route. */
  onRoute?: ((route: RouteOptions) => void) | undefined;
}

/** All parts of one server, connected with each other. */
export interface SkiesServer {
  /** The HTTP server, which does not listen yet. */
  app: FastifyInstance;
  /** The given settings, completed with the sandboxes' settings for third parties that are not configured. */
  settings: Settings;
  secrets: Secrets;
  files: Files;
  /** Absent unless metrics are enabled. */
  metrics: Metrics | undefined;
  /** Starts the background jobs. */
  startJobs(): void;
  /** Asks sockets to reconnect to another process, and stops the background jobs. Requests are still served. */
  leave(): void;
  /** Ends requests and jobs, each within its time limit, then closes the resources that both use. */
  close(): Promise<void>;
}

/** Minimum time for sending the last spans, also after the time limit for requests, in milliseconds. */
const LEAST_FLUSH_MS = 1000;

/** Opens a server: its files, HTTP and jobs. Nothing listens and no job runs yet. */
export async function createServer(givenSettings: Settings, options: ServerOptions): Promise<SkiesServer> {
  const { webFolder, logStream, onRoute, version, worker: asWorker } = options;
  const pagesElsewhere = options.sandboxes === false ? {} : asWorker?.pages;
  const sandboxed = pagesElsewhere && { settings: givenSettings, pages: pagesElsewhere, close: async () => {} };
  const traces =
    givenSettings.traces && (await import("./http/traces.ts")).openTraces(givenSettings.traces, version, asWorker?.id);
  const watch = traces?.watchCalls;
  const [database, { settings, pages, close: closeSandboxes }, secrets, files] = await Promise.all([
    options.db,
    sandboxed ?? withSandboxes(givenSettings),
    openSecrets({ secretKey: givenSettings.SECRET_KEY, dataDir: givenSettings.DATA_DIR }),
    openFiles(join(givenSettings.DATA_DIR, "storage"), givenSettings.s3, {
      watch,
      decodeSequence: options.ffmpeg && sequenceDecoder(options.ffmpeg),
    }),
  ]);
  const db = traces?.watchDatabase(database) ?? database;
  const refusals = refusalCount();
  let worker: Worker | undefined;
  const { METRICS_PORT: port, METRICS_HOST: host } = settings;
  const measuring = port === undefined ? undefined : await import("./http/metrics.ts");
  const { BACKUP_TO: backupTo, BACKUP_EVERY_HOURS: everyHours } = settings;
  const metrics = measuring?.openMetrics(db, {
    version,
    dataDir: givenSettings.DATA_DIR,
    worker: asWorker?.id,
    backup: backupTo ? { place: placeKey(backupTo), everyHours } : undefined,
  });
  const leaving = new AbortController();
  metrics?.watchJobs(() => worker?.states() ?? []);
  const foundation = { db, settings, secrets, files, webFolder, version, metrics, traces };
  const { app, services } = await createApp({
    ...foundation,
    sandboxes: pages,
    logStream,
    onRoute,
    refusals,
    leaving: leaving.signal,
    jobStates: () => worker?.states() ?? [],
  });

  const ownMetrics =
    metrics && port !== undefined && !asWorker
      ? await measuring?.serveMetrics({ port, host }, async () => [await metrics.samples()])
      : undefined;

  return {
    app,
    settings,
    secrets,
    files,
    metrics,
    startJobs() {
      const jobs = jobsFor({ ...servicesOfJobs(foundation, services), ffmpeg: options.ffmpeg, log: app.log });
      const report = processReportJob({ db, states: () => worker?.states() ?? [], refusals });
      worker ??= startWorker([...jobs, report], { db, log: app.log, inTrace: traces?.inTrace });
    },
    leave() {
      leaving.abort();
      void worker?.stop();
    },
    async close() {
      const startedAt = performance.now();
      await Promise.all([app.close(), worker?.stop()]);
      await ownMetrics?.close();
      await closeSandboxes();
      files.close();
      await traces?.close(Math.max(settings.STOP_SECONDS * 1000 - (performance.now() - startedAt), LEAST_FLUSH_MS));
    },
  };
}
