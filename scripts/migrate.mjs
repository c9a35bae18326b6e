import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";

// Applies migrations before a start, or tries them: `npm run migrate -- --dry-run`.
await ready();
const { register } = await import("tsx/esm/api");
register();
const { reachDatabase } = await import("../server/database/connect.ts");
const { migrate, migrationSets, tryMigrations } = await import("../server/database/migrate.ts");
const { openPostgres } = await import("../server/database/postgres.ts");
const { readEnvironment } = await import("../server/settings/settings.ts");

const isTrial = process.argv.includes("--dry-run");
try {
  const { DATABASE_DIRECT_URL, DATABASE_URL, DATA_DIR = "./data" } = readEnvironment(process.env);
  const database = await reachDatabase({ databaseUrl: DATABASE_DIRECT_URL ?? DATABASE_URL, dataDir: DATA_DIR });
  try {
    const db = await openPostgres(database.url);
    const names = await (isTrial ? tryMigrations : migrate)(db, migrationSets(root)).finally(() => db.close());
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
