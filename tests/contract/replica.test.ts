import { execFile } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { startEmbeddedPostgres } from "../../server/database/embedded/embedded.ts";
import { migrate, migrationSets } from "../../server/database/migrate.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { withReplica } from "../../server/database/replica.ts";
import { atEnd } from "../support/at-end.ts";
import { LONG } from "../support/long-tests.ts";
import { signUp } from "../support/people.ts";
import { portOf } from "../support/pgbouncer.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Starts a streaming replica from a base backup of the running PostgreSQL over `primary`, whose URL is `url`. */
async function replicaOf(primary: string, url: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "skies-replica-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const [from, to] = [join(primary, "postgres"), join(dataDir, "postgres")];
  await mkdir(to, { mode: 0o700 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_backup_start('replica', true)");
  // Keeps the owners of the files, because PostgreSQL does not run as root.
  await promisify(execFile)("cp", ["-a", join(from, "data"), join(from, "password"), to]);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  await client.end();
  const data = join(to, "data");
  await rm(join(data, "postmaster.pid"), { force: true });
  const { username, password } = new URL(url);
  const source = `host=127.0.0.1 port=${await portOf(url)} user=${username} password=${password}`;
  await writeFile(join(data, "backup_label"), rows[0]?.labelfile ?? "");
  await appendFile(join(data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\nhot_standby = on\n`);
  await cp(join(data, "PG_VERSION"), join(data, "standby.signal"));
  const { url: address, close } = await startEmbeddedPostgres(dataDir);
  const standby = await openPostgres(address);
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= standby.close().then(close);
    return ended;
  };
  atEnd(end);
  return { url: address, standby, end };
}

test.runIf(LONG)(
  "public reads use a replica that is at most a second behind, and otherwise the primary",
  async () => {
    const main = await builtServer();
    const dataDir = await mkdtemp(join(tmpdir(), "skies-primary-"));
    atEnd(() => rm(dataDir, { recursive: true, force: true }));
    const primary = await startEmbeddedPostgres(dataDir);
    atEnd(() => primary.close());
    const own = await openPostgres(primary.url);
    atEnd(() => own.close());
    await migrate(own, migrationSets(root));
    const replica = await replicaOf(dataDir, primary.url);
    const { standby } = replica;

    const db = withReplica(await openPostgres(primary.url), replica.url);
    atEnd(() => db.close());
    const where = async () =>
      (
        await db.read<{ name: string }>(
          "select case when pg_is_in_recovery() then 'replica' else 'primary' end as name",
          [],
          {
            mayBeOld: true,
          },
        )
      ).rows[0]?.name;
    await expect.poll(where).toBe("replica");
    // Reads that need current rows never use the replica.
    expect((await db.read("select pg_is_in_recovery() as is_replica")).rows).toEqual([{ is_replica: false }]);

    // A replica that falls behind is not used until it has caught up.
    await standby.exec("select pg_wal_replay_pause()");
    await own.exec("create table public.late (id integer)");
    await expect.poll(where).toBe("primary");
    await standby.exec("select pg_wal_replay_resume()");
    await expect.poll(where).toBe("replica");
    expect((await db.read("select * from public.late", [], { mayBeOld: true })).rows).toEqual([]);

    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = await startServer(main, {
      port,
      DATA_DIR: dataDir,
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      PASSWORD_HASH_MIB: "8",
    });
    atEnd(() => endProcess(child, "SIGTERM"));
    const make = (await clientsOf(dataDir)).client;
    const server = { client: (bearer?: string) => make(url, bearer) };
    const plans = async () =>
      (await server.client().from("subscription_plans").select("id").throwOnError()).data.length;
    const readOf = async (table: string) =>
      (
        await standby.query<{ many: number }>(
          "select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as many from pg_stat_user_tables where relname = $1",
          [table],
        )
      ).rows[0]?.many;
    // People read their own writes at once, and not from the replica.
    const ada = await signUp(server, "Ada");
    const memory = await newMemory(ada.client, { person_name: "Rosa" });
    const { data } = await ada.client.from("memories").select("id").throwOnError();
    expect(data).toEqual([{ id: memory.id }]);
    await expect
      .poll(async () => {
        expect(await plans()).toBeGreaterThan(0);
        return readOf("subscription_plans");
      })
      .toBeGreaterThan(0);
    expect(await readOf("memories")).toBe(0);

    const lost = replica.end();
    for (let reads = 0; reads < 20; reads += 1) expect(await plans()).toBeGreaterThan(0);
    await lost;
    expect(await plans()).toBeGreaterThan(0);
    expect(await where()).toBe("primary");
  },
  300_000,
);
