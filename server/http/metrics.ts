import { statfs } from "node:fs/promises";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";
import type { Database } from "../database/database.ts";
import type { FairQueue } from "../database/fair-queue.ts";
import type { JobState } from "../jobs/worker.ts";
import { patternOf } from "./request-log.ts";

/** Bucket limits in seconds; transfers of films take minutes. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 300];
/** The interval of sums over whole tables, in milliseconds. */
const SUMS_MS = 60_000;
/**
 * How long a scrape waits for the database, twice at most, in milliseconds: Prometheus gives a scrape up after ten
 * seconds, and then no alert would see that the database is down.
 */
const ANSWER_MS = 4000;
/** The kinds and states of messages that are counted. */
const MESSAGES = ["mail", "sms"].flatMap((kind) => ["waiting", "dead"].map((state) => ({ kind, state })));

/** The metrics of one server. No label contains a person, an address or an id. */
export interface Metrics {
  /** Counts the requests that `app` answers. */
  watchRequests(app: FastifyInstance): void;
  watchQueue(queue: FairQueue): void;
  watchSockets(count: () => number): void;
  watchJobs(states: () => JobState[]): void;
  /** The current values, serialisable for another process. */
  samples(): Promise<Samples>;
}

export type Samples = MetricObjectWithValues<MetricValue<string>>[];

interface Measured {
  version: string | undefined;
  dataDir: string;
  /** The number of this process if there are several; every metric is labelled with it. */
  worker: number | undefined;
  /** Where automatic backups are, by its name in the database, and their interval. */
  backup?: { place: string; everyHours: number } | undefined;
}

/** The metrics of one server. */
export function openMetrics(db: Database, { version, dataDir, worker, backup }: Measured): Metrics {
  const registry = new Registry();
  if (worker !== undefined) registry.setDefaultLabels({ worker: `${worker}` });
  collectDefaultMetrics({ register: registry, prefix: "skies_" });
  const registers = [registry];
  const gauge = <Label extends string>(
    name: string,
    help: string,
    collect: (this: Gauge<Label>) => void | Promise<void>,
    labelNames: Label[] = [],
  ) => new Gauge({ name: `skies_${name}`, help, registers, labelNames, collect });

  gauge(
    "build_info",
    "1, labelled with the version of Skies and of Node.",
    function () {
      this.set({ version: version ?? "", node: process.version }, 1);
    },
    ["version", "node"],
  );
  const disk = gauge(
    "disk_bytes",
    "The size of the disk with the data folder, and what is free of it for Skies: nothing while it does not answer.",
    () => {},
    ["state"],
  );
  const durations = new Histogram({
    name: "skies_http_request_duration_seconds",
    help: "Requests by the pattern of their route, until the last byte of the answer.",
    labelNames: ["method", "route", "status"] as const,
    buckets: BUCKETS,
    registers,
  });
  const dropped = new Counter({
    name: "skies_http_requests_aborted_total",
    help: "Requests whose client left before the end of the answer.",
    registers,
  });
  gauge(
    "database_connections",
    "Connections of the pool.",
    function () {
      const { open, idle, waiting } = db.pool();
      this.set({ state: "used" }, open - idle);
      this.set({ state: "idle" }, idle);
      this.set({ state: "waited_for" }, waiting);
    },
    ["state"],
  );

  const outbox = gauge("outbox_messages", "Emails and text messages that wait or were given up.", () => {}, [
    "kind",
    "state",
  ]);
  const oldest = gauge(
    "outbox_oldest_seconds",
    "Seconds since the oldest message was written that should have been sent.",
    () => {},
  );
  const storage = gauge(
    "storage_bytes",
    "Bytes of all accounts: stored, and announced by unfinished uploads.",
    () => {},
    ["state"],
  );
  const failedFiles = gauge(
    "file_failures",
    "Files that a job could not prepare: tried again, or given up.",
    () => {},
    // Not `job`, which Prometheus gives each target.
    ["job_name", "state"],
  );
  const readBack = gauge(
    "read_back",
    "Stored files that were read again, their bytes, those that differed from their checksum, and those that were restored.",
    () => {},
    ["count"],
  );
  const damagedFiles = gauge(
    "damaged_files",
    "Stored files that differ from what was uploaded: being repaired, or lost because no intact copy was found.",
    () => {},
    ["state"],
  );
  const roundAge = gauge("read_back_round_seconds", "Seconds since all stored files had been read again.", () => {});
  const rows = gauge("rows", "About how many rows the largest tables have, as PostgreSQL estimates.", () => {}, [
    "table",
  ]);
  const newestBackup =
    backup &&
    gauge("backup_newest_timestamp_seconds", "When the newest backup was begun, or the first one was tried.", () => {});
  // Before the first look at the database, as if the first one were tried now.
  newestBackup?.set(Date.now() / 1000);
  if (backup)
    gauge("backup_interval_seconds", "How often a backup is made: BACKUP_EVERY_HOURS.", () => {}).set(
      backup.everyHours * 3600,
    );
  const databaseUp = gauge("database_up", "Whether the database answers.", () => {});
  let summedAt = Number.NEGATIVE_INFINITY;
  // A scrape waits for the earlier one's question: another would take one more connection of the pool.
  const ask = oneAtATime(() => db.read("select 1"));
  const sum = oneAtATime(readSums);

  const askDisk = oneAtATime(async () => {
    const { bsize, blocks, bavail } = await statfs(dataDir);
    disk.set({ state: "size" }, bsize * blocks);
    disk.set({ state: "free" }, bsize * bavail);
  });

  /** A disk that is gone, or in a network that is, keeps nothing; its last size stays. */
  async function lookAtDisk() {
    if ((await outcomeOf(askDisk())) !== "answered") disk.set({ state: "free" }, 0);
  }

  async function lookAtDatabase() {
    let isUp = (await outcomeOf(ask())) === "answered";
    if (isUp && performance.now() - summedAt > SUMS_MS) isUp = (await outcomeOf(sum())) !== "failed";
    databaseUp.set(isUp ? 1 : 0);
  }

  async function readSums() {
    const waiting = await db.read<{ kind: string; state: string; many: number; late: number }>(
      `select kind, state, count(*)::int as many,
         coalesce(extract(epoch from now() - min(created_at) filter (where attempts > 0 or next_attempt_at <= now())), 0)::float8 as late
       from private.outbox where state in ('waiting', 'dead') group by kind, state`,
    );
    const used = await db.read<{ stored: number; held: number }>(
      "select coalesce(sum(stored), 0)::float8 as stored, coalesce(sum(held), 0)::float8 as held from private.account_use",
    );
    const tables = await db.read<{ name: string; many: number }>(
      `select schemaname || '.' || relname as name, n_live_tup::float8 as many from pg_stat_user_tables
       order by n_live_tup desc, 1 limit 20`,
    );
    const failures = await db.read<{ job: string; state: string; many: number }>(
      `select job, case when given_up_at is null then 'retried' else 'given_up' end as state, count(*)::int as many
       from private.file_failures group by 1, 2`,
    );
    failedFiles.reset();
    for (const { job, state, many } of failures.rows) failedFiles.set({ job_name: job, state }, many);
    const round = await db.read<
      Record<"files" | "bytes" | "differences" | "mended" | "age" | "mending" | "lost", number>
    >(
      `select files::float8, bytes, differences::float8, mended::float8,
         extract(epoch from now() - coalesce(finished_at, started_at))::float8 as age,
         (select count(*)::int from private.damaged_files where lost_at is null) as mending,
         (select count(*)::int from private.damaged_files where lost_at is not null) as lost
       from private.read_back`,
    );
    const { age = 0, mending = 0, lost = 0, ...counts } = round.rows[0] ?? {};
    for (const [count, value] of Object.entries(counts)) readBack.set({ count }, value);
    damagedFiles.set({ state: "mending" }, mending);
    damagedFiles.set({ state: "lost" }, lost);
    roundAge.set(age);
    if (backup) {
      const places = await db.read<{ newest: number }>(
        "select extract(epoch from coalesce(newest_at, known_since))::float8 as newest from private.backup_places where place = $1",
        [backup.place],
      );
      if (places.rows[0]) newestBackup?.set(places.rows[0].newest);
    }
    outbox.reset();
    // Also without any, because Prometheus sees no increase in a series that begins with the first message.
    for (const labels of MESSAGES) outbox.set(labels, 0);
    for (const { kind, state, many } of waiting.rows) outbox.set({ kind, state }, many);
    const late = waiting.rows.filter(({ state }) => state === "waiting").map((row) => row.late);
    oldest.set(Math.max(0, ...late));
    storage.set({ state: "stored" }, used.rows[0]?.stored ?? 0);
    storage.set({ state: "announced" }, used.rows[0]?.held ?? 0);
    rows.reset();
    for (const { name, many } of tables.rows) rows.set({ table: name }, many);
    summedAt = performance.now();
  }

  return {
    watchRequests(app) {
      app.addHook("onResponse", async (request, reply) => {
        const status = String(reply.statusCode);
        durations.observe({ method: request.method, route: patternOf(request), status }, reply.elapsedTime / 1000);
      });
      app.addHook("onRequestAbort", async (_request) => dropped.inc());
    },
    watchQueue(queue) {
      gauge(
        "database_queue",
        "Requests that use the database, and that wait for their turn.",
        function () {
          const { working, waiting } = queue.load();
          this.set({ state: "working" }, working);
          this.set({ state: "waiting" }, waiting);
        },
        ["state"],
      );
    },
    watchSockets(count) {
      gauge("realtime_sockets", "Open sockets for changes of rows.", function () {
        this.set(count());
      });
    },
    watchJobs(states) {
      const each = (name: string, help: string, value: (state: JobState) => number) =>
        gauge(
          name,
          help,
          function () {
            for (const state of states()) this.set({ job_name: state.name }, value(state));
          },
          ["job_name"],
        );
      each("job_runs", "Runs that ended well since the start.", ({ runs }) => runs);
      each("job_failures", "Runs that failed since the last one that ended well.", ({ failures }) => failures);
      each("job_running", "Whether it runs now.", ({ status }) => (status === "running" ? 1 : 0));
      each("job_succeeded_timestamp_seconds", "When it last ended well; 0 for not yet.", ({ succeededAt }) =>
        succeededAt ? succeededAt.getTime() / 1000 : 0,
      );
    },
    async samples() {
      // Before the values are collected, so that the sums are among them.
      await Promise.all([lookAtDatabase(), lookAtDisk()]);
      const all = await registry.getMetricsAsJSON();
      // Values of two processes differ by their label, so the sum neither adds them up nor drops one.
      return all.map((metric) => ({ ...metric, aggregator: "sum" }));
    },
  };
}

/** How many workers are configured and answer, as the primary sees it: a worker that does not answer has no metrics of its own. */
export async function workerSamples(counts: { configured: number; answering: number }): Promise<Samples> {
  const registry = new Registry();
  const workers = new Gauge({
    name: "skies_workers",
    help: "The processes of WORKERS, and those of them that answer.",
    labelNames: ["state"],
    registers: [registry],
  });
  for (const [state, value] of Object.entries(counts)) workers.set({ state }, value);
  return registry.getMetricsAsJSON();
}

/** Calls `work` unless an earlier call has not settled, whose result is returned then. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Resolves when `work` settles, but within {@link ANSWER_MS}. */
async function outcomeOf(work: Promise<unknown>): Promise<"answered" | "failed" | "late"> {
  const done = new AbortController();
  const late = delay(ANSWER_MS, "late" as const, { signal: done.signal, ref: false });
  const settled = work.then(
    () => "answered" as const,
    () => "failed" as const,
  );
  return Promise.race([settled, late.catch(() => "late" as const)]).finally(() => done.abort());
}

/** Serves `GET /metrics` on a separate port in the format of Prometheus, with the samples of each process. */
export async function serveMetrics(
  { port, host }: { port: number; host: string },
  read: () => Promise<Samples[]>,
): Promise<{ close(): Promise<void> }> {
  const type = Registry.PROMETHEUS_CONTENT_TYPE;
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?")[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    read()
      .then((samples) => AggregatorRegistry.aggregate(samples).metrics())
      .then(
        (text) => response.writeHead(200, { "content-type": type }).end(text),
        () => response.writeHead(500).end(),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
