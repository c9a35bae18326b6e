import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test, vi } from "vitest";
import { openPostgres } from "../../server/database/postgres.ts";
import { discardStrays, removeDiscarded } from "../../server/supabase/storage/remove-bytes.ts";
import { importZip, storedBy, zipOfAccount } from "../support/account-zips.ts";
import { atEnd } from "../support/at-end.ts";
import { freshFolder } from "../support/backups.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { exportedAccount, exportedComment, exportedMemory, exportedPhoto } from "../support/exported-account.ts";
import { faultyLine } from "../support/faulty-line.ts";
import { DAY_MS } from "../support/jobs.ts";
import { LONG } from "../support/long-tests.ts";
import { type Person, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { jpeg } from "../support/uploads.ts";

const HOUR_MS = 3_600_000;
const [databaseUrl, dataDir] = [await testDatabaseUrl(), await freshFolder()];
const db = await openPostgres(databaseUrl);
atEnd(() => db.close());
const server = await testServer({}, { db, dataDir });
const root = new URL("../..", import.meta.url).pathname;
const picture = await jpeg();

/** A ZIP file of an account with so many photos and a comment. */
async function zipWith(photos: number): Promise<string> {
  const files = Array.from({ length: photos }, (_, n) => [`files/${n}.jpg`, withTail()] as const);
  const media = files.map(([path, bytes]) => exportedPhoto(path, bytes));
  return zipOfAccount(
    exportedAccount(exportedMemory({ media, comments: [exportedComment({})] })),
    Object.fromEntries(files),
  );
}
const withTail = () => Buffer.concat([picture, randomBytes(1000)]);

/** Starts the operator's command. */
function startImport(path: string, { email }: Person, url = databaseUrl): { child: ChildProcess; output(): string } {
  const env = { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir, ...inject("s3") };
  const child = spawn(process.execPath, ["scripts/admin.mjs", "import-account", path, email], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return { child, output: () => output };
}

/** Holds what a statement locks until the returned function is called, so that an import waits for it. */
async function hold(statement: string): Promise<() => Promise<void>> {
  const holder = await openPostgres(databaseUrl);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    ended = holder.transaction(async (tx) => {
      await tx.exec(statement);
      resolve();
      await isReleased;
    });
    ended.catch(reject);
  });
  return async () => {
    release();
    await ended;
    await holder.close();
  };
}

/** Resolves to the id of the database process that waits for a lock with a statement like this. */
async function waitingBackend(statement: string): Promise<number> {
  const waiting = async () => {
    const { rows } = await db.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
      [statement],
    );
    return rows[0]?.pid ?? 0;
  };
  await expect.poll(waiting).toBeGreaterThan(0);
  return waiting();
}

/** Sweeps as the jobs do, a day later. */
async function sweepADayLater() {
  await discardStrays(server, Date.now() + 3 * HOUR_MS);
  await removeDiscarded(server, Date.now() + DAY_MS + HOUR_MS);
}

const storedObjects = () => readdir(join(dataDir, "storage/objects/media")).catch(() => []);

test.runIf(LONG)(
  "an import that is killed while it reads files leaves no row, and the sweep removes its bytes",
  async () => {
    const person = await signUpWithPlan(server, "Ada");
    const before = await storedBy(server);
    const { child } = startImport(await zipWith(400), person);
    await expect.poll(async () => (await storedObjects()).length, { interval: 5 }).toBeGreaterThan(2);
    child.kill("SIGKILL");
    await once(child, "close");
    const after = await storedBy(server);
    expect(after.rows).toBe(before.rows);
    expect(after.bytes).toBeGreaterThan(before.bytes);
    // Not at once: the database may be older than the files, after a wrong restore.
    await removeDiscarded(server);
    expect(await storedBy(server)).toEqual(after);
    await sweepADayLater();
    expect(await storedBy(server)).toEqual(before);
  },
);

test.runIf(LONG)(
  "an import that is killed while it writes rows leaves none, and the sweep removes its bytes",
  async () => {
    const person = await signUpWithPlan(server, "Ada");
    const before = await storedBy(server);
    const release = await hold("lock table comments in share mode");
    const { child } = startImport(await zipWith(3), person);
    const backend = await waitingBackend("insert into comments%");
    child.kill("SIGKILL");
    await once(child, "close");
    await release();
    const isThere = async () => (await db.query("select from pg_stat_activity where pid = $1", [backend])).rows.length;
    await expect.poll(isThere).toBe(0);
    expect((await storedBy(server)).rows).toBe(before.rows);
    await sweepADayLater();
    expect(await storedBy(server)).toEqual(before);
    expect(await importZip(server, await zipWith(3), person)).toMatchObject({ files: 3 });
  },
);

test("an import whose database connection is cut in the middle of its rows leaves neither rows nor bytes", async () => {
  const person = await signUpWithPlan(server, "Ada");
  const before = await storedBy(server);
  const release = await hold("lock table comments in share mode");
  const { child, output } = startImport(await zipWith(3), person);
  const ended = once(child, "close");
  await db.query("select pg_terminate_backend($1)", [await waitingBackend("insert into comments%")]);
  expect(await ended).toEqual([1, null]);
  await release();
  expect(output()).toContain("The database cannot be reached");
  expect(await storedBy(server)).toEqual(before);
});

test.runIf(LONG)("an import whose connection is cut while it commits says that it is there, once it is", async () => {
  const person = await signUpWithPlan(server, "Ada");
  // A commit waits until the lock of this test ends.
  const lock = 7_200_001;
  await db.exec(`
    create function wait_at_commit() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${lock});
      return null;
    end
    $$;
    create constraint trigger wait_at_commit after insert on memories deferrable initially deferred
      for each row execute function wait_at_commit()`);
  const { hostname, port, pathname, searchParams, username, password } = new URL(databaseUrl);
  const sockets = searchParams.get("host");
  const line = await faultyLine(
    sockets ? { path: `${sockets}/.s.PGSQL.5432` } : { host: hostname, port: Number(port || 5432) },
  );
  // PostgreSQL looks every second whether its client is still there, and would end the commit if that came first.
  const options = encodeURIComponent("-c client_connection_check_interval=0");
  const through = `postgres://${username}:${password}@127.0.0.1:${line.port}${pathname}?options=${options}`;
  try {
    const release = await hold(`select pg_advisory_xact_lock(${lock})`);
    const { child, output } = startImport(await zipWith(3), person, through);
    const ended = once(child, "close");
    await waitingBackend("commit%");
    line.become("down");
    line.become("up");
    await release();
    expect(await ended, output()).toEqual([0, null]);
    expect(output()).toContain("memories 1, files 3");
  } finally {
    await db.exec("drop trigger wait_at_commit on memories; drop function wait_at_commit()");
    await line.close();
  }
  const { data } = await person.client.from("media").select("id").throwOnError();
  expect(data).toHaveLength(3);
});

test("a sweep beside an import that takes days removes none of its bytes", async () => {
  const person = await signUpWithPlan(server, "Ada");
  const path = await zipWith(3);
  const startedAt = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: startedAt });
  atEnd(async () => void vi.useRealTimers());
  const progress = async ({ files }: { files: number }) => {
    // The first file gets a tombstone, and the import ends it after the second.
    if (files === 1) await discardStrays(server, startedAt + 3 * HOUR_MS);
    vi.setSystemTime(startedAt + files * 2 * HOUR_MS);
    if (files === 2) await removeDiscarded(server, Date.now() + DAY_MS);
  };
  expect(await importZip(server, path, person, { progress })).toMatchObject({ files: 3, leftOut: [] });
});
