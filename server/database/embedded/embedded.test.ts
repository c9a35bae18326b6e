import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { LONG } from "../../../tests/support/long-tests.ts";
import { connect } from "../connect.ts";
import { type Database, DatabaseUnavailableError } from "../database.ts";

/** A prepared data folder: copying it is faster than making a new one. */
let prepared: string;
beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), "skies-prepared-"));
  await (await connect({ dataDir: prepared })).close();
});
afterAll(() => rm(prepared, { recursive: true, force: true }));

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "skies-embedded-"));
});
const copyPrepared = () => promisify(execFile)("cp", ["-a", join(prepared, "postgres"), dataDir]);
const children: ChildProcess[] = [];
const databases: Database[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  await Promise.all(databases.splice(0).map((db) => db.close().catch(() => {})));
  await rm(dataDir, { recursive: true, force: true });
});

async function open(folder = dataDir): Promise<Database> {
  const db = await connect({ dataDir: folder });
  databases.push(db);
  return db;
}

/** The process id in PostgreSQL's lock file. */
const postgresPid = async () =>
  Number((await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0]);

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Starts another process; resolves once it has opened the database. */
async function otherProcess(): Promise<ChildProcess> {
  const script = `
    const { connect } = await import(${JSON.stringify(new URL("../connect.ts", import.meta.url).href)});
    const db = await connect({ dataDir: ${JSON.stringify(dataDir)} });
    await db.exec("create table if not exists kept (word text); insert into kept values ('here')");
    console.log("open");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

test("written rows are still there after a restart", async () => {
  const first = await open();
  await first.exec("create table kept (word text); insert into kept values ('here')");
  await first.close();
  expect((await (await open()).query("select word from kept")).rows).toEqual([{ word: "here" }]);
});

test("the database sorts text by C.UTF-8 on every system, and syncs every commit", async () => {
  const { rows } = await (await open()).query(
    `select datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding,
       current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
       current_setting('listen_addresses') as ports
     from pg_database where datname = current_database()`,
  );
  expect(rows).toEqual([{ provider: "b", locale: "C.UTF-8", encoding: "UTF8", fsync: "on", commit: "on", ports: "" }]);
});

test("only the owner of the folder can reach the socket and the password", async () => {
  await copyPrepared();
  await open();
  const { stdout } = spawn("stat", ["-c", "%a", join(dataDir, "postgres"), join(dataDir, "postgres/password")]);
  let modes = "";
  for await (const text of stdout.setEncoding("utf8")) modes += text;
  expect(modes).toBe("700\n600\n");
});

test("a second process is refused with a message, and the first keeps its connection", async () => {
  await copyPrepared();
  const first = await open();
  await expect(connect({ dataDir })).rejects.toThrow("Another process is using the data folder");
  expect((await first.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test.runIf(LONG)("PostgreSQL stops when its parent process is killed, and acknowledged rows are kept", async () => {
  await copyPrepared();
  const child = await otherProcess();
  const pid = await postgresPid();
  expect(isRunning(pid)).toBe(true);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect((await (await open()).query("select word from kept")).rows).toEqual([{ word: "here" }]);
});

test.runIf(LONG)("a PostgreSQL left running by an earlier process is stopped, and its data are opened", async () => {
  await copyPrepared();
  const child = await otherProcess();
  const pid = await postgresPid();
  // Kills the watcher, which would stop PostgreSQL.
  for (const watcher of await childrenOf(child.pid ?? 0)) if (watcher !== pid) process.kill(watcher, "SIGKILL");
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  expect(isRunning(pid)).toBe(true);
  expect((await (await open()).query("select word from kept")).rows).toEqual([{ word: "here" }]);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

/** A request that is sent again while it gets a 503: a slow machine may need longer than one request waits. */
async function answered<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
    }
  }
}

test("a crash of PostgreSQL only delays requests and loses no acknowledged rows", async () => {
  await copyPrepared();
  const db = await open();
  await db.exec("create table kept (word text); insert into kept values ('here')");
  const heard: string[] = [];
  await db.listen("news", (payload) => heard.push(payload));
  for (let crash = 1; crash <= 3; crash += 1) {
    const pid = await postgresPid();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await answered(() => db.query("select word from kept"))).rows).toEqual([{ word: "here" }]);
    // The listener is notified that it may have missed something.
    await expect.poll(() => heard).toHaveLength(crash);
  }
  await expect
    .poll(async () => {
      await db.query("select pg_notify('news', 'again')");
      return heard;
    })
    .toContain("again");
});

test.runIf(LONG)("a missing data folder is reported once, and PostgreSQL is not restarted", async () => {
  await copyPrepared();
  const db = await open();
  const pid = await postgresPid();
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    await rm(join(dataDir, "postgres/data"), { recursive: true, force: true });
    process.kill(pid, "SIGKILL");
    await expect.poll(() => said.mock.calls.flat()).toEqual([expect.stringContaining("has gone")]);
    await expect(db.query("select 1")).rejects.toThrow("cannot be reached");
    await db.close();
    expect(said).toHaveBeenCalledTimes(1);
  } finally {
    said.mockRestore();
  }
});

test.runIf(LONG)("an interrupted first start begins again", async () => {
  await mkdir(join(dataDir, "postgres/data.new/base"), { recursive: true });
  expect((await (await open()).query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a data folder of an earlier version of Skies is refused with a message and not changed", async () => {
  await mkdir(join(dataDir, "database/cluster"), { recursive: true });
  await writeFile(join(dataDir, "database/cluster/PG_VERSION"), "17\n");
  await expect(connect({ dataDir })).rejects.toThrow(
    /was made by an earlier version of Skies .* Set DATA_DIR to another/,
  );
  expect(await readdir(dataDir)).toEqual(["database"]);
});

test("data of another major version of PostgreSQL are refused with a message", async () => {
  await copyPrepared();
  await writeFile(join(dataDir, "postgres/data/PG_VERSION"), "16\n");
  await expect(connect({ dataDir })).rejects.toThrow(/was made by PostgreSQL 16, and this is PostgreSQL 18/);
});

test("restored data that belong to the user who starts Skies are opened", async () => {
  await copyPrepared();
  await (await open()).close();
  // PostgreSQL refuses files of root, so its account is chosen again.
  await promisify(execFile)("chown", ["-R", `${process.getuid?.()}`, join(dataDir, "postgres/data")]);
  expect((await (await open()).query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test.runIf(LONG)("a data folder with a long path works although socket paths must be short", async () => {
  const deep = join(dataDir, "a-folder-with-a-long-name/".repeat(6));
  expect((await (await open(deep)).query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

/** Ids of the child processes of a process. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = spawn("pgrep", ["-P", `${pid}`]);
  let text = "";
  for await (const part of children.stdout.setEncoding("utf8")) text += part;
  return text.split("\n").filter(Boolean).map(Number);
}
