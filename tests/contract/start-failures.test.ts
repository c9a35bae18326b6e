import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { OldDatabaseError } from "../../server/database/database.ts";
import { DirectDatabaseError, startFailure } from "../../server/settings/start-failure.ts";
import { atEnd } from "../support/at-end.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { LONG } from "../support/long-tests.ts";
import { builtServer } from "../support/server-process.ts";

let main: string;
beforeAll(async () => {
  main = await builtServer();
});
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "skies-failing-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
});

/** Starts a server that fails to start, optionally through another program. Resolves to its output. */
async function failing(settings: Record<string, string>, [program, ...args]: string[] = []) {
  const command = [process.execPath, main];
  const child = spawn(program ?? process.execPath, program ? [...args, ...command] : [main], {
    env: { PATH: process.env.PATH, LOG_LEVEL: "error", DATA_DIR: dataDir, PORT: `${await freePort()}`, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, said: said.trim() };
}

test("a port that is taken is named with the setting that changes it", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  atEnd(async () => void holder.close());
  const { port } = holder.address() as { port: number };
  expect(await failing({ PORT: `${port}`, DATABASE_URL: await testDatabaseUrl() })).toEqual({
    code: 1,
    said: `Port ${port} is taken. Stop the program that uses it, or set PORT to another one.`,
  });
});

test.each<[string, Record<string, string>]>([
  ["one process", {}],
  ["several processes", { WORKERS: "2" }],
])(
  "a taken port of the metrics of %s is named with METRICS_PORT, and one of workers with PORT",
  async (_which, how) => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    atEnd(async () => void holder.close());
    const { port } = holder.address() as { port: number };
    const DATABASE_URL = await testDatabaseUrl();
    const metrics = await failing({ ...how, METRICS_PORT: `${port}`, DATABASE_URL });
    expect(metrics.said).toBe(
      `Port ${port} is taken. Stop the program that uses it, or set METRICS_PORT to another one.`,
    );
    const site = await failing({ ...how, PORT: `${port}`, DATABASE_URL });
    expect(site.said).toContain(`Port ${port} is taken. Stop the program that uses it, or set PORT to another one.`);
  },
);

test("a data folder where the system makes none is named at once", async () => {
  const { code, said } = await failing({ DATA_DIR: "/proc/skies/data", DATABASE_URL: await testDatabaseUrl() });
  expect(code).toBe(1);
  expect(said).toMatch(/^The data folder \/proc\/skies\/data cannot be written.*Set DATA_DIR/);
});

test("an address that is not this machine's is named with HOST", async () => {
  const { code, said } = await failing({ HOST: "192.0.2.1", DATABASE_URL: await testDatabaseUrl() });
  expect({ code, said }).toEqual({ code: 1, said: "192.0.2.1 is no address of this machine. Change HOST." });
});

test("a data folder that is a file is named with DATA_DIR", async () => {
  const file = join(dataDir, "file");
  await writeFile(file, "");
  const { code, said } = await failing({ DATA_DIR: join(file, "data") });
  expect(code).toBe(1);
  expect(said).toMatch(/^The data folder .*file\/data cannot be written.*Set DATA_DIR/);
});

test("a data folder that may not be written is named with DATA_DIR", async () => {
  const { code, said } = await failing({}, mounted("ro"));
  expect(code).toBe(1);
  expect(said).toMatch(/^The data folder .* cannot be written.*Set DATA_DIR/);
});

test("a full disk is named, with what to do", async () => {
  const { code, said } = await failing({}, mounted("size=8m"));
  expect(code).toBe(1);
  expect(said).toMatch(/^The disk that holds .* is full\. Free some space and start again/);
});

test.runIf(LONG)("a PostgreSQL that does not answer is named with its setting", async () => {
  const port = await freePort();
  const away = `postgres://skies@127.0.0.1:${port}/skies`;
  const settings: Record<string, string>[] = [
    { DATABASE_URL: away },
    { DATABASE_URL: await testDatabaseUrl(), DATABASE_DIRECT_URL: away },
  ];
  expect(await Promise.all(settings.map((setting) => failing(setting)))).toEqual(
    ["DATABASE_URL", "DATABASE_DIRECT_URL"].map((setting) => ({
      code: 1,
      said: `No PostgreSQL answers at 127.0.0.1:${port}. Start it, or change ${setting}.`,
    })),
  );
});

test("a refused password, a missing database and an old PostgreSQL are named with their setting", async () => {
  const DATABASE_URL = await testDatabaseUrl();
  const url = new URL(DATABASE_URL);
  url.pathname = "/nothing_of_this_name";
  const settings: Record<string, string>[] = [
    { DATABASE_URL: url.href },
    { DATABASE_URL, DATABASE_DIRECT_URL: url.href },
  ];
  expect(await Promise.all(settings.map((setting) => failing(setting)))).toEqual(
    ["DATABASE_URL", "DATABASE_DIRECT_URL"].map((setting) => ({
      code: 1,
      said: `PostgreSQL refused ${setting}: database "nothing_of_this_name" does not exist.`,
    })),
  );
  const stranger = new URL(DATABASE_URL);
  stranger.password = "wrong";
  expect(await failing({ DATABASE_URL: stranger.href })).toEqual({
    code: 1,
    said: `PostgreSQL refused DATABASE_URL: password authentication failed for user "${stranger.username}".`,
  });
  const where = { PORT: 1, HOST: "127.0.0.1", DATA_DIR: dataDir };
  const old = new OldDatabaseError();
  expect([old, new DirectDatabaseError(old)].map((error) => startFailure(error, where))).toEqual([
    "DATABASE_URL leads to an old PostgreSQL. PostgreSQL 15 or newer is needed.",
    "DATABASE_DIRECT_URL leads to an old PostgreSQL. PostgreSQL 15 or newer is needed.",
  ]);
});

test("a start that waits for the database ends at SIGTERM", async () => {
  const DATABASE_URL = await testDatabaseUrl();
  const holder = new pg.Client({ connectionString: DATABASE_URL });
  await holder.connect();
  atEnd(() => holder.end());
  await holder.query("begin");
  await holder.query("lock table migrations.applied");
  const server = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: `${await freePort()}`, DATABASE_URL, STOP_SECONDS: "0.1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  atEnd(async () => void server.kill("SIGKILL"));
  const waiting = "select 1 from pg_locks where relation = 'migrations.applied'::regclass and not granted";
  await expect.poll(async () => (await holder.query(waiting)).rowCount).toBeGreaterThan(0);
  const message = text(server.stderr);
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([1, null]);
  expect(await message).toBe("The start did not finish, and was abandoned.\n");
});

test.each(["a database", "an object store"])(
  "a start that waits for %s that never answers ends at SIGTERM",
  async (what) => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    atEnd(async () => void silent.close());
    const { port } = silent.address() as { port: number };
    const settings =
      what === "a database"
        ? { DATABASE_URL: `postgres://skies:hunter2@127.0.0.1:${port}/skies` }
        : {
            DATABASE_URL: await testDatabaseUrl(),
            S3_BUCKET: "files",
            S3_REGION: "eu-south-1",
            S3_ENDPOINT: `http://127.0.0.1:${port}`,
            S3_ACCESS_KEY_ID: "skies",
            S3_SECRET_ACCESS_KEY: "hunter2",
          };
    const server = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: `${await freePort()}`, STOP_SECONDS: "0.1", ...settings },
      stdio: ["ignore", "ignore", "pipe"],
    });
    atEnd(async () => void server.kill("SIGKILL"));
    const [connection] = await once(silent, "connection");
    atEnd(async () => void connection.destroy());
    const message = text(server.stderr);
    server.kill("SIGTERM");
    expect(await once(server, "exit")).toEqual([1, null]);
    expect(await message).toBe("The start did not finish, and was abandoned.\n");
  },
);

/**
 * A command that runs another one with a separate file system over the data folder: as root, or as root of a user
 * namespace.
 */
function mounted(options: string): string[] {
  const namespaces = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  return ["unshare", ...namespaces, "sh", "-c", `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`, dataDir];
}
