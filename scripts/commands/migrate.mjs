import { reachDatabase } from "../../server/database/connect.ts";
import { migrate, migrationSets, tryMigrations } from "../../server/database/migrate.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { packageRoot } from "../../server/package-root.ts";
import { readEnvironment } from "../../server/settings/settings.ts";

// Applies migrations before a start, or tries them: `npm run migrate -- --dry-run`.
const isTrial = process.argv.includes("--dry-run");
try {
  const { DATABASE_DIRECT_URL, DATABASE_URL, DATA_DIR = "./data" } = readEnvironment(process.env);
  const database = await reachDatabase({ databaseUrl: DATABASE_DIRECT_URL ?? DATABASE_URL, dataDir: DATA_DIR });
  try {
    const db = await openPostgres(database.url);
    const names = await (isTrial ? tryMigrations : migrate)(db, migrationSets(packageRoot())).finally(() => db.close());
    for (const name of names) console.log(name);
    const count = names.length === 1 ? "1 migration" : `${names.length} migrations`;
    console.log(isTrial ? `${count} can be applied. Nothing was changed.` : `${count} applied.`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
