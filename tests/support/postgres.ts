import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { administratorSql } from "../../server/database/administrator-sql.ts";
import { startEmbeddedPostgres } from "../../server/database/embedded/embedded.ts";
import { migrate, migrationSets } from "../../server/database/migrate.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { startOtherPostgres } from "./other-postgres.ts";

const root = new URL("../..", import.meta.url).pathname;
const TEMPLATE = "skies_template";
const DUPLICATE_OBJECT = "42710";

/** Not durable, because the data is discarded. */
const SETTINGS = {
  max_connections: "300",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  checkpoint_timeout: "1h",
  max_wal_size: "8GB",
  autovacuum: "off",
};

/** The PostgreSQL of a test run. */
interface TestPostgres {
  /** Its URL for the ordinary user of the tests. */
  url: string;
  superuserUrl: string;
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL for a test run, with a migrated template database. TEST_POSTGRES names the folder of another
 * version's programs, TEST_DATABASE_URL a server that runs, as a superuser. All tests connect as an ordinary user, because the product must need no more than that.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const { TEST_DATABASE_URL: externalUrl, TEST_POSTGRES: programs } = process.env;
  const folder = await mkdtemp(join(tmpdir(), "skies-tests-"));
  const start = () =>
    programs ? startOtherPostgres(programs, folder, SETTINGS) : startEmbeddedPostgres(folder, SETTINGS);
  const own = externalUrl ? undefined : await start();
  const superuserUrl = externalUrl ?? own?.url ?? "";
  const url = await addOwner(superuserUrl);
  await makeTemplate(url);
  return {
    url,
    superuserUrl,
    async close() {
      await own?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Adds an ordinary user who also may create databases and load rows without triggers. Returns the URL with this user. */
async function addOwner(superuserUrl: string): Promise<string> {
  const [user, password] = ["skies_tests", "tests"];
  for (const statement of administratorSql({ user, password })) {
    await administer(superuserUrl, statement).catch((error: { code?: string }) => {
      // A server that TEST_DATABASE_URL names has them since the run before.
      if (error.code !== DUPLICATE_OBJECT) throw error;
    });
  }
  await administer(superuserUrl, `alter role ${user} createdb`);
  await administer(superuserUrl, `grant set on parameter session_replication_role to ${user}`);
  const address = new URL(superuserUrl);
  Object.assign(address, { username: user, password });
  return address.href;
}

async function makeTemplate(url: string) {
  await administer(url, `drop database if exists ${TEMPLATE} with (force)`);
  await administer(url, `create database ${TEMPLATE}`);
  const db = await openPostgres(addressOf(url, TEMPLATE));
  await migrate(db, migrationSets(root));
  await db.close();
}

/** Creates a database on the PostgreSQL at `url`: migrated, or without a schema if `template` is PostgreSQL's own. */
export async function createDatabase(
  url: string,
  template: typeof TEMPLATE | "template1" = TEMPLATE,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `skies_${randomUUID().replaceAll("-", "")}`;
  // By default, each page is copied through the log and the shared buffers, which takes four times the processor time.
  await administer(url, `create database ${name} template ${template} strategy file_copy`);
  return { url: addressOf(url, name), drop: () => administer(url, `drop database if exists ${name} with (force)`) };
}

export async function administer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
