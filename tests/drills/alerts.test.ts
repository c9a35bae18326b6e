import { mkdir, mkdtemp, open, readFile, rename, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import type { Database } from "../../server/database/database.ts";
import { startEmbeddedPostgres } from "../../server/database/embedded/embedded.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { alertRules, openPromtool } from "../support/alerts.ts";
import { photo } from "../support/backups.ts";
import { type FaultyLine, faultyLine } from "../support/faulty-line.ts";
import { type Person, signUp } from "../support/people.ts";
import { type Outage, type Scrape, scrape, seriesOf, sumOf, USUAL_MINUTES } from "../support/scrapes.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";
import { canMount, serverOnSmallDisk } from "../support/small-disk.ts";
import { freshName } from "../support/uploads.ts";
import { withWorkers } from "../support/with-workers.ts";

const MIB = 1024 * 1024;
const HOUR = 60;
const BACKED_UP: Metric = ["skies_job_succeeded_timestamp_seconds", 'job_name="backup"'];

const ends: (() => Promise<unknown>)[] = [];
const lines = {} as Record<"database" | "mail", FaultyLine>;
let promtool: Awaited<ReturnType<typeof openPromtool>>;
let rules: Map<string, string>;
/** The database without the server's line to it. */
let db: Database;
let url: string;
let dataDir: string;
/** A disk that holds the folder of the backups. */
let backupDisk: string;
let metricsPort: number;
let server: Awaited<ReturnType<typeof startServer>>;
/** Starts the server again. Its sums over tables are then of this moment, and not of a minute ago. */
let restart: () => Promise<void>;
let clients: Awaited<ReturnType<typeof clientsOf>>;
let ada: Person;
let memoryId: string;
/** Whether the mail server refuses every recipient for good. */
let refusesMail = false;
/** Two scrapes of a usual time. */
let usual: Outage["usual"];

const look = () => scrape(metricsPort);

beforeAll(async () => {
  [promtool, rules] = await Promise.all([openPromtool(), alertRules()]);
  const main = await builtServer();
  const folder = await mkdtemp(join(tmpdir(), "skies-alerts-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres(join(folder, "postgres"));
  ends.push(() => postgres.close());
  db = await openPostgres(postgres.url);
  ends.push(() => db.close());
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) =>
      done(refusesMail ? Object.assign(new Error("No such mailbox"), { responseCode: 550 }) : null),
    onData: (stream, _session, done) => stream.resume().once("end", () => done()),
  });
  const mailPort = await freePort();
  await new Promise<void>((resolve) => mail.listen(mailPort, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => mail.close(() => resolve(undefined))));
  lines.mail = await faultyLine({ host: "127.0.0.1", port: mailPort });
  const address = new URL(postgres.url);
  const [sockets, port] = [address.searchParams.get("host") ?? "", address.searchParams.get("port") || "5432"];
  lines.database = await faultyLine({ path: join(sockets, `.s.PGSQL.${port}`) });
  for (const line of Object.values(lines)) ends.push(line.close);
  Object.assign(address, { search: "", hostname: "127.0.0.1", port: `${lines.database.port}` });

  [dataDir, backupDisk] = [join(folder, "data"), join(folder, "backup-disk")];
  await mkdir(backupDisk);
  const serverPort = await freePort();
  metricsPort = await freePort();
  url = `http://127.0.0.1:${serverPort}`;
  const settings = {
    port: serverPort,
    METRICS_PORT: `${metricsPort}`,
    DATA_DIR: dataDir,
    DATABASE_URL: address.href,
    SMTP_URL: `smtp://127.0.0.1:${lines.mail.port}`,
    BACKUP_TO: join(backupDisk, "backups"),
    REQUEST_BUDGET: "1000000",
    LOG_LEVEL: "silent",
  };
  ends.push(() => endProcess(server, "SIGTERM"));
  restart = async () => {
    if (server) await endProcess(server, "SIGTERM");
    server = await startServer(main, settings);
  };
  await restart();
  clients = await clientsOf(dataDir);
  await vi.waitFor(async () => expect(sumOf(await look(), ...BACKED_UP)).toBeGreaterThan(0), { timeout: 180_000 });
  ada = await signUp({ client: (bearer) => clients.client(url, bearer as string | undefined) }, "Ada");
  memoryId = (await newMemory(ada.client, { person_name: "Nonna Rosa" })).id;
  await use(1);
  const first = await look();
  expect(await use(30)).toEqual(Array.from({ length: 30 }, () => 200));
  usual = [first, await look()];
}, 300_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end().catch(() => {});
}, 120_000);

/** A request that reads the database; resolves to its status. */
const read = async () => {
  const headers = { apikey: clients.publishableKey, authorization: `Bearer ${ada.token}` };
  const reply = await fetch(`${url}/rest/v1/albums?select=id&limit=5`, { headers });
  await reply.arrayBuffer();
  return reply.status;
};
/** Reads one after the other, as people do. */
async function use(times: number) {
  const statuses: number[] = [];
  while (statuses.length < times) statuses.push(await read());
  return statuses;
}
const isBack = () => expect.poll(read).toBe(200);

/** A value of the database. */
async function valueIn(text: string): Promise<number> {
  const { rows } = await db.query<{ value: number }>(`select (${text})::float8 as value`);
  return rows[0]?.value ?? 0;
}

/** Provokes an outage once for all alerts that see it. */
function once(provoke: () => Promise<Omit<Outage, "usual">>): () => Promise<Outage> {
  let seen: Promise<Outage> | undefined;
  return () => {
    seen ??= provoke().then((scrapes) => ({ usual, ...scrapes }));
    return seen;
  };
}

const databaseAway = once(async () => {
  const before = await look();
  lines.database.become("down");
  const statuses = await Promise.all(Array.from({ length: 10 }, read));
  expect(new Set(statuses)).toEqual(new Set([503]));
  const during = await look();
  lines.database.become("up");
  await isBack();
  return { before, during };
});

/** The database accepts connections, but nothing comes back: its machine is frozen. */
const databaseSilent = once(async () => {
  const before = await look();
  lines.database.become("silent");
  const during = await look();
  lines.database.become("up");
  await isBack();
  return { before, during };
});

/** Somebody locks a table that people read. */
const tableLocked = async () => {
  const before = await look();
  const { reads, waiting } = await db.transaction(async (tx) => {
    await tx.exec("lock table albums in access exclusive mode");
    const reads = Array.from({ length: 60 }, read);
    let waiting: Scrape = before;
    const queue = async () => {
      waiting = await look();
      return sumOf(waiting, "skies_database_queue", 'state="waiting"');
    };
    await expect.poll(queue).toBeGreaterThan(20);
    const WAIT = `select coalesce(extract(epoch from max(clock_timestamp() - query_start)), 0)
      from pg_stat_activity where wait_event_type = 'Lock'`;
    await expect.poll(() => valueIn(WAIT)).toBeGreaterThan(1.2);
    return { reads, waiting };
  });
  expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
  return { before, waiting, slow: await look() };
};
let locked: ReturnType<typeof tableLocked> | undefined;
const whileLocked = (moment: "waiting" | "slow") =>
  once(async () => {
    locked ??= tableLocked();
    const { before, [moment]: during } = await locked;
    return { before, during };
  });

/** A message of somebody who signs up now. */
async function askForMail() {
  await signUp({ client: (bearer) => clients.client(url, bearer as string | undefined) }, "Guest");
}

const mailAway = once(async () => {
  const before = await look();
  lines.mail.become("down");
  await askForMail();
  const tried = "select count(*) from private.outbox where state = 'waiting' and attempts > 0";
  await expect.poll(() => valueIn(tried)).toBeGreaterThan(0);
  // Twenty minutes pass.
  await db.exec("update private.outbox set created_at = created_at - interval '20 minutes' where state = 'waiting'");
  await restart();
  const during = await look();
  await db.exec("delete from private.outbox");
  lines.mail.become("up");
  return { before, during };
});

const mailRefused = once(async () => {
  await restart();
  const before = await look();
  refusesMail = true;
  await askForMail();
  const dead = "select count(*) from private.outbox where state = 'dead'";
  await expect.poll(() => valueIn(dead)).toBeGreaterThan(0);
  await restart();
  const during = await look();
  refusesMail = false;
  return { before, during };
});

const damaged = (state: "mending" | "lost") =>
  `select count(*) from private.damaged_files where (lost_at is not null) = ${state === "lost"}`;

/** Otherwise a process that starts within nine minutes leaves the job to the one before. */
const LET_READ_BACK_RUN = "delete from private.job_leases where job = 'read-back'";

/** The disk of the backups is gone, and a stored file is damaged that is in no backup. */
const backupsAway = once(async () => {
  let before = await look();
  const backedUpAt = async () => {
    before = await look();
    return sumOf(before, ...BACKED_UP);
  };
  await expect.poll(backedUpAt).toBeGreaterThan(0);
  const { error } = await ada.client.storage.from("media").upload(freshName(memoryId), await photo());
  expect(error).toBeNull();
  const { rows } = await db.query<{ version: string }>("select version from storage.objects where bucket_id = 'media'");
  expect(rows).toHaveLength(1);
  const path = join(dataDir, "storage/objects/media", rows[0]?.version ?? "");
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  await writeFile(path, bytes);
  await rename(backupDisk, `${backupDisk}-unmounted`);
  // The tests may run as root, who could write into the empty folder below.
  await writeFile(backupDisk, "");
  // The time of the next round comes.
  await db.exec(`${LET_READ_BACK_RUN};
    update private.read_back set started_at = now() - interval '1 minute', due_at = '-infinity'`);

  await restart();
  // The first scrape comes after the damage, because sums are kept for a minute.
  await expect.poll(() => valueIn(damaged("mending"))).toBe(1);
  await expect.poll(async () => sumOf(await look(), "skies_job_failures", 'job_name="backup"')).toBeGreaterThan(3);
  return { before, during: await look() };
});

/** The disk of the backups is there again, and no backup has the damaged file. */
const fileLost = once(async () => {
  await backupsAway();
  const before = await look();
  await rm(backupDisk);
  await rename(`${backupDisk}-unmounted`, backupDisk);
  // An hour passes, after which the file is tried again.
  await db.exec(`${LET_READ_BACK_RUN}; update private.damaged_files set next_at = now()`);
  await restart();
  await expect.poll(() => valueIn(damaged("lost"))).toBe(1);
  await restart();
  return { before, during: await look() };
});

/** No round of reading has ended for 200 days. */
const roundsStand = once(async () => {
  const before = await look();
  await db.exec(`insert into private.read_back as r (started_at) values (now() - interval '200 days')
    on conflict (id) do update set started_at = excluded.started_at, finished_at = r.finished_at - interval '200 days'`);
  await restart();
  return { before, during: await look() };
});

const stopped = once(async () => {
  const before = await look();
  // Another process takes the processor, again and again.
  for (let times = 0; times < 10; times += 1) {
    server.kill("SIGSTOP");
    await delay(700);
    server.kill("SIGCONT");
    await delay(30);
  }
  return { before, during: await look() };
});

/** One of two workers gets no processor any more. */
const workerStopped = once(async () => {
  const { workers, metricsPort: port } = await withWorkers(2);
  const before = await scrape(port);
  process.kill(workers[0] ?? 0, "SIGSTOP");
  return { before, during: await scrape(port) };
});

const diskFilled = once(async () => {
  const port = await freePort();
  const { filler } = await serverOnSmallDisk({ METRICS_PORT: `${port}` });
  const before = await scrape(port);
  const { bsize, blocks, bavail } = await statfs(dirname(filler));
  const file = await open(filler, "a");
  for (let remaining = bsize * (bavail - 0.15 * blocks); remaining > 0; remaining -= MIB)
    await file.write(Buffer.alloc(MIB));
  await file.close();
  return { before, during: await scrape(port) };
});

/** A metric, and labels of the series that are added up. */
type Metric = [string, ...string[]];

interface Drill {
  provoke: () => Promise<Outage>;
  /** The minutes of the outage after which the alert is looked for. */
  minutes?: number;
  /** What shows the outage in the scrapes. */
  metric: Metric;
}

/** What provokes each alert. */
const DRILLS: Record<string, Drill> = {
  DatabaseDown: { provoke: databaseAway, metric: ["skies_database_up"] },
  RequestsFail: {
    provoke: databaseAway,
    metric: ["skies_http_request_duration_seconds_count", 'status="503"'],
  },
  RequestsSlow: {
    provoke: whileLocked("slow"),
    metric: ["skies_http_request_duration_seconds_sum"],
  },
  DatabaseOverloaded: { provoke: whileLocked("waiting"), metric: ["skies_database_queue", 'state="waiting"'] },
  MailWaits: { provoke: mailAway, metric: ["skies_outbox_oldest_seconds"] },
  MailGivenUp: { provoke: mailRefused, metric: ["skies_outbox_messages", 'state="dead"', 'kind="mail"'] },
  JobFails: { provoke: backupsAway, metric: ["skies_job_failures", 'job_name="backup"'] },
  FileLost: { provoke: fileLost, metric: ["skies_damaged_files", 'state="lost"'] },
  FileNotMended: { provoke: backupsAway, minutes: 26 * HOUR, metric: ["skies_damaged_files", 'state="mending"'] },
  FilesReadSlowly: { provoke: roundsStand, metric: ["skies_read_back_round_seconds"] },
  NoRecentBackup: {
    provoke: backupsAway,
    minutes: 50 * HOUR,
    metric: ["skies_backup_newest_timestamp_seconds"],
  },
  DiskAlmostFull: { provoke: diskFilled, metric: ["skies_disk_bytes", 'state="free"'] },
  WorkerSilent: { provoke: workerStopped, metric: ["skies_workers", 'state="answering"'] },
  ProcessOverloaded: { provoke: stopped, metric: ["skies_nodejs_eventloop_lag_p99_seconds"] },
};

async function expectAlert(alert: string, { provoke, minutes = 30, metric }: Drill) {
  const outage = await provoke();
  const [before, during] = [outage.before, outage.during].map((one) => sumOf(one, ...metric));
  console.info(`${alert}: ${metric.join()} ${before} → ${during}`);
  const minute = USUAL_MINUTES + minutes;
  const tests = [false, true].map((fires) => ({
    alert,
    minute,
    series: seriesOf(rules.get(alert) ?? "", outage, minute + 1, !fires),
    fires,
  }));
  // Evaluating days minute by minute would take long.
  expect(await promtool.test(tests, minutes > 2 * HOUR ? 10 : 1), JSON.stringify(tests)).toContain("SUCCESS");
}

test("every alert has an outage", () => {
  expect(Object.keys(DRILLS)).toEqual([...rules.keys()]);
});

test.each(Object.entries(DRILLS).filter(([alert]) => alert !== "DiskAlmostFull" || canMount()))(
  "the alert %s fires during a real outage, and is quiet before",
  expectAlert,
);

test("the alert DatabaseDown fires also for a database that takes connections and never answers", () =>
  expectAlert("DatabaseDown", { provoke: databaseSilent, metric: ["skies_database_up"] }));
