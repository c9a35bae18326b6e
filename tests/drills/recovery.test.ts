import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { administratorSql } from "../../server/database/administrator-sql.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { atEnd } from "../support/at-end.ts";
import { commandsOf, type Machine, openDebian } from "../support/debian.ts";
import { faultyLine } from "../support/faulty-line.ts";
import { type Person, signUp } from "../support/people.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";

const HOUR = 3_600_000;
const DOCUMENT = "docs/operations.md";
const OWNER = { user: "skies", password: "skies", database: "skies" };

/** Debian's PostgreSQL with a database of Skies, and its port. */
async function openDatabase(): Promise<{ machine: Machine; port: number }> {
  const machine = await openDebian();
  await machine.run("apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql");
  const port = await freePort();
  await machine.write(
    "/srv/owner.sql",
    administratorSql(OWNER)
      .map((line) => `${line};\n`)
      .join(""),
  );
  await machine.run(`
    VERSION=$(ls /etc/postgresql)
    pg_ctlcluster $VERSION main stop 2>/dev/null || true
    pg_conftool -s $VERSION main set port ${port}
    pg_ctlcluster $VERSION main start
    runuser -u postgres -- psql -p ${port} --quiet --set ON_ERROR_STOP=1 < /srv/owner.sql`);
  return { machine, port };
}

/** A server whose database is at the end of a line, as behind a name or a pooler. */
async function openSite(port: number) {
  const line = await faultyLine({ host: "127.0.0.1", port });
  atEnd(line.close);
  const dataDir = await mkdtemp(join(tmpdir(), "skies-recovery-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const main = await builtServer();
  const settings = {
    port: await freePort(),
    DATA_DIR: dataDir,
    DATABASE_URL: urlAt(line.port),
    LOG_LEVEL: "fatal",
  };
  let server = await startServer(main, settings);
  atEnd(() => endProcess(server, "SIGTERM"));
  const clients = await clientsOf(dataDir);
  const url = `http://127.0.0.1:${settings.port}`;
  return {
    line,
    stop: () => endProcess(server, "SIGTERM"),
    async start() {
      server = await startServer(main, settings);
    },
    signUp: (name: string) => signUp({ client: (bearer) => clients.client(url, bearer as string | undefined) }, name),
  };
}

const urlAt = (port: number) => `postgres://${OWNER.user}:${OWNER.password}@127.0.0.1:${port}/${OWNER.database}`;

async function query<Row extends object>(port: number, text: string): Promise<Row[]> {
  const db = await openPostgres(urlAt(port));
  try {
    return (await db.query<Row>(text)).rows;
  } finally {
    await db.close();
  }
}

/** Comments of a person in a memory of their own, as what is stored at a time. */
async function notebookOf({ client }: Person) {
  const { id } = await newMemory(client, { person_name: "Nonna Rosa" });
  return {
    async write(body: string) {
      await client.from("comments").insert({ memory_id: id, body }).throwOnError();
    },
    async read() {
      const { data } = await client.from("comments").select("body").eq("memory_id", id).order("body").throwOnError();
      return data.map(({ body }) => body);
    },
  };
}

test(
  "a database goes back to the moment before a mistake, with everything that was stored until then",
  async () => {
    const [setUp = ""] = await commandsOf(DOCUMENT, "Continuous backup of the database");
    const [restore = ""] = await commandsOf(DOCUMENT, "Back to a time before a mistake");
    const { machine, port } = await openDatabase();
    const site = await openSite(port);
    const notebook = await notebookOf(await site.signUp("Ada"));
    await notebook.write("Before the backup");
    await machine.run(setUp);
    expect(await machine.run("runuser -u postgres -- pgbackrest --stanza=skies info")).toContain("status: ok");
    const nextSecond = "select (date_trunc('second', now()) + interval '1 second')::text as time";
    const [backup] = await query<{ time: string }>(port, nextSecond);

    // Its changes since the backup are only in the log.
    await expect
      .poll(() =>
        notebook.write("After it").then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    // pgBackRest knows when a backup ended in whole seconds, and goes back to times after that second.
    const isLater = async () =>
      (await query<{ later: boolean }>(port, `select now() > '${backup?.time}' as later`))[0]?.later;
    await expect.poll(isLater).toBe(true);
    const [now] = await query<{ time: string }>(port, "select now()::text as time");
    await query(port, "delete from comments");
    await notebook.write("After the mistake");
    expect(await notebook.read()).toEqual(["After the mistake"]);

    await site.stop();
    await machine.run(`export TIME='${now?.time}'\n${restore}`);
    await site.start();
    expect(await notebook.read()).toEqual(["After it", "Before the backup"]);
    await notebook.write("Then on");
    expect(await machine.run("runuser -u postgres -- pgbackrest --stanza=skies check")).not.toContain("ERROR");
  },
  HOUR,
);

test(
  "a standby takes over when the database is lost, and the server goes on with all that was stored",
  async () => {
    const [onPrimary = "", onStandby = "", takeOver = ""] = await commandsOf(DOCUMENT, "Standby and failover");
    const { machine: primary, port } = await openDatabase();
    const site = await openSite(port);
    const notebook = await notebookOf(await site.signUp("Ada"));
    await notebook.write("Before the standby");
    await primary.run(`export STANDBY=127.0.0.1/32 PASSWORD=stand-by\n${onPrimary}`);

    const standbyPort = await freePort();
    const standby = await openDebian();
    await standby.run(`
      apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql
      pg_ctlcluster "$(ls /etc/postgresql)" main stop 2>/dev/null || true
      pg_conftool -s "$(ls /etc/postgresql)" main set port ${standbyPort}`);
    await standby.run(`export PRIMARY='host=127.0.0.1 port=${port}' PASSWORD=stand-by\n${onStandby}`);
    await notebook.write("Streamed");
    await expect
      .poll(async () => (await query(standbyPort, "select from comments where body = 'Streamed'")).length)
      .toBe(1);

    await primary.close();
    await standby.run(takeOver);
    site.line.leadTo({ host: "127.0.0.1", port: standbyPort });
    await expect.poll(() => notebook.read().catch(() => [])).toEqual(["Before the standby", "Streamed"]);
    await expect
      .poll(() =>
        notebook.write("After it").then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await notebook.read()).toContain("After it");
  },
  HOUR,
);
