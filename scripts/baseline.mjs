import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";

// Run with each release: later migrations are tested on a database of this version.
await ready();
const { register } = await import("tsx/esm/api");
register();
const { withMigratedDatabase } = await import("../db/generate/generate.ts");
const { fillEveryTable, hashesOf, readContents } = await import("../tests/support/baseline.ts");
const { serverStatements } = await import("../tests/support/code-statements.ts");
const { migrationSets } = await import("../server/database/migrate.ts");

const baseline = await withMigratedDatabase(async (db) => {
  await fillEveryTable(db);
  return {
    migrations: await hashesOf(migrationSets(root)),
    statements: serverStatements(root),
    rows: await readContents(db),
  };
});
await writeFile(join(root, "tests/support/baseline.json"), `${JSON.stringify(baseline, null, 2)}\n`);
console.log("tests/support/baseline.json is this version. Commit it with the release.");
