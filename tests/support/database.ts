import { inject } from "vitest";
import { answerInside } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { atEnd } from "./at-end.ts";
import { createDatabase } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the test run's PostgreSQL. */
    postgresUrl: string;
    /** The same for a superuser. */
    superuserUrl: string;
  }
}

/** A migrated database for this test file; dropped after it. */
export async function testDatabase(): Promise<Database> {
  const db = await openPostgres(await testDatabaseUrl());
  atEnd(() => db.close());
  return db;
}

/**
 * The same database without the time limits of callers, for tests that compare costs: on a busy machine, the first use
 * of a statement, which plans it, may take longer than a caller may wait.
 */
export function withoutTimeLimits(db: Database): Database {
  return {
    ...db,
    query: (text, values, { role: _, ...how } = {}) => db.query(text, values, how),
    read: (text, values, { role: _, ...how } = {}) => db.read(text, values, how),
    transaction: (work) => db.transaction(work),
    answer: (statement) => db.transaction((tx) => answerInside(tx, statement)),
  };
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
 * Vacuums a database, like autovacuum, until each page of its tables is marked as all-visible, so that an index
 * suffices to list rows. A connection that is opened meanwhile, to any database, prevents a vacuum from marking rows
 * that were written since the oldest running transaction began. Then the vacuum is repeated.
 */
export async function vacuumed(db: Database) {
  const unmarked = async () => {
    // By default, it does not mark pages whose few dead rows are still in indexes.
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
 * Resolves to the cheapest of four explained runs, by the pages that they touch. The first run fills the caches of a
 * connection. Tables that another test creates meanwhile, in any database, may empty them again.
 */
export async function cheapestOf<Run extends { pages: number; ms?: number }>(
  explain: () => Promise<Run>,
): Promise<Run> {
  let cheapest = await explain();
  for (let again = 0; again < 3; again += 1) {
    const next = await explain();
    const isFaster = next.pages === cheapest.pages && (next.ms ?? 0) < (cheapest.ms ?? 0);
    if (next.pages < cheapest.pages || isFaster) cheapest = next;
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
