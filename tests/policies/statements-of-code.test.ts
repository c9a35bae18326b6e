import { expect, test } from "vitest";
import { namedColumns, sqlCalls, statementRefusal } from "../support/code-statements.ts";
import { testDatabase } from "../support/database.ts";

const root = new URL("../..", import.meta.url).pathname;
const db = await testDatabase();

/** Paths where SQL is generated from a request, a catalogue, a list or a file, so that the code contains no statement. */
const MADE_AT_RUN_TIME = [
  "server/database/",
  "server/sharing/screen-cache.ts",
  "server/sharing/share-attempts.ts",
  "server/supabase/realtime/",
  "server/supabase/rest/",
  "server/supabase/storage/bucket-routes.ts",
  "server/supabase/storage/listing.ts",
];

test("every SQL statement of the server fits the schema", async () => {
  const calls = sqlCalls(root, "server");
  const faults: string[] = [];
  for (const { where, texts } of calls) {
    if (texts.length === 0 && !MADE_AT_RUN_TIME.some((path) => where.startsWith(path))) {
      faults.push(`${where}: its text cannot be found; write it as a constant or a template of constants`);
    }
    for (const text of texts) {
      const error = await statementRefusal(db, text);
      if (error) faults.push(`${where}: ${error}`);
    }
  }
  expect(faults).toEqual([]);
  // The search still finds statements.
  expect(calls.length).toBeGreaterThan(200);
});

test("every column that the web app filters or sorts by exists", async () => {
  const { rows } = await db.query<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    union all select c.relname || '.' || p.proname from pg_proc p join pg_class c on c.reltype = p.proargtypes[0]
    where p.pronamespace = 'public'::regnamespace and p.pronargs = 1`);
  const columnNames = new Set(rows.map(({ name }) => name));
  const named = namedColumns(root, "web");
  const faults = named.flatMap(({ where, table, column }) => {
    if (table?.endsWith("()") || columnNames.has(`${table}.${column}`)) return [];
    return [`${where}: ${table ? `${table} has no column ${column}` : `of which table ${column} is cannot be told`}`];
  });
  expect(faults).toEqual([]);
  expect(named.length).toBeGreaterThan(100);
});
