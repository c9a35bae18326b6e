import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GENERATORS } from "../../db/generate/generate.ts";
import { GENERATED } from "../../scripts/setup/migrations.mjs";
import { testDatabase } from "../support/database.ts";

const db = await testDatabase();
const root = new URL("../..", import.meta.url).pathname;

/** Versions of PostgreSQL write some expressions differently; the embedded version decides. */
const { rows } = await db.query<{ version: number }>(
  "select current_setting('server_version_num')::int / 10000 as version",
);

test.skipIf(rows[0]?.version !== 18).each(Object.keys(GENERATORS) as (keyof typeof GENERATORS)[])(
  "the file of `npm run %s` matches the migrations",
  async (name) => {
    const written = await readFile(join(root, GENERATED[name].path), "utf8");
    // The first line has a hash of the migrations, which `npm run check` compares.
    const isFresh = written.slice(written.indexOf("\n") + 1) === (await GENERATORS[name](db));
    expect(isFresh, `Run \`npm run ${name}\`.`).toBe(true);
  },
);

test("every function can be created again on the migrated schema", async () => {
  const { rows } = await db.query<{ name: string; definition: string }>(`
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'private', 'auth', 'storage', 'realtime', 'rest', 'request') and p.prokind = 'f'`);
  const faults: string[] = [];
  for (const { name, definition } of rows) {
    await db.exec(definition).catch((error: Error) => faults.push(`${name}: ${error.message}`));
  }
  expect(faults).toEqual([]);
});
