import { inject } from "vitest";
import type { Database } from "../../server/database/database.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { atEnd } from "./at-end.ts";
import { createDatabase } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the test run's PostgreSQL. */
    postgresUrl: string;
  }
}

/** A migrated database for this test file; dropped after it. */
export async function testDatabase(): Promise<Database> {
  const db = await openPostgres(await testDatabaseUrl());
  atEnd(() => db.close());
  return db;
}

/** A database without a schema; dropped after the test or the file. */
export async function databaseWithoutSchema(): Promise<Database> {
  const db = await openPostgres(await databaseUrlWithoutSchema());
  atEnd(() => db.close());
  return db;
}

/** The URL of such a database. */
export async function databaseUrlWithoutSchema(): Promise<string> {
  const { url, drop } = await createDatabase(inject("postgresUrl"), "template1");
  atEnd(drop);
  return url;
}

/** The URL of a migrated database for this test file, for servers in separate processes; dropped after it. */
export async function testDatabaseUrl(): Promise<string> {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  atEnd(drop);
  return url;
}

/**
 * Leaves a database as its own upkeep would: an index suffices to list the rows of a table, as each of its pages is marked as
 * visible to all. A connection that is opened at this moment, to any database, keeps a vacuum from marking what was written
 * since the oldest transaction under way began; then it is done again.
 */
export async function vacuumed(db: Database) {
  const unmarked = async () => {
    // By default it leaves pages unmarked whose few dead rows are still in indexes.
    await db.exec("vacuum (analyze, index_cleanup on)");
    const { rows } = await db.query(
      `select from pg_class where relkind = 'r' and relallvisible < relpages
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
    );
    return rows.length;
  };
  while (await unmarked());
}

/**
 * The cheapest of four explained runs, by the pages that they touch. The first fills the caches of a connection, and
 * tables that another test makes meanwhile, in any database, may empty them again.
 */
export async function cheapestOf<Run extends { pages: number }>(explain: () => Promise<Run>): Promise<Run> {
  let cheapest = await explain();
  for (let again = 0; again < 3; again += 1) {
    const next = await explain();
    if (next.pages < cheapest.pages) cheapest = next;
  }
  return cheapest;
}

/** Empties every table of the product and its accounts, except for rows of migrations. */
export async function emptyDatabase(db: Database) {
  await db.exec(`
    delete from auth.users;
    delete from storage.objects;
    delete from storage.discarded;
    delete from private.share_attempts;
  `);
}

/** Removes a test's set of migrations, with the schema of the same name. */
export const emptyOfMigrations = (db: Database, set: string) =>
  db.exec(`drop schema if exists ${set} cascade; delete from migrations.applied where name like '${set}/%'`);
