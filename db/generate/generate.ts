import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../server/database/database.ts";
import { startEmbeddedPostgres } from "../../server/database/embedded/embedded.ts";
import { migrate, migrationSets } from "../../server/database/migrate.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { databaseTypes } from "./database-types.ts";
import { schemaSql } from "./schema-sql.ts";

/** Generators that work on a migrated database, by the name of the npm script that writes their file. */
export const GENERATORS = { schema: schemaSql, types: databaseTypes } satisfies Record<
  string,
  (db: Database) => Promise<string>
>;

/** Migrates a new database and returns the text of a generated file without its first line. */
export const generate = (name: keyof typeof GENERATORS): Promise<string> => withMigratedDatabase(GENERATORS[name]);

/** Calls `work` with a temporary database to which every migration has been applied. */
export async function withMigratedDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "skies-generate-"));
  const postgres = await startEmbeddedPostgres(folder, { fsync: "off" });
  try {
    const db = await openPostgres(postgres.url);
    try {
      await migrate(db, migrationSets(new URL("../..", import.meta.url).pathname));
      return await work(db);
    } finally {
      await db.close();
    }
  } finally {
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
}
