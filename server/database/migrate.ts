import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "./database.ts";

/** A folder of `0001_name.sql` files, applied in the order of their names. */
export interface MigrationSet {
  name: string;
  folder: string;
}

/** Skies' own sets, in the order in which they build on each other. */
export const migrationSets = (root: string): MigrationSet[] => [
  { name: "database", folder: join(root, "server/database/migrations") },
  { name: "supabase", folder: join(root, "server/supabase/migrations") },
  { name: "product", folder: join(root, "db/migrations") },
];

/** Serialises processes that start together; any number that nothing else locks. */
const LOCK = 7_545_937;

/**
 * Applies every migration that has not been applied, each in one transaction with the row that remembers it, and
 * refuses to go on when an applied one has changed since. Resolves to the names applied now.
 */
export async function migrate(db: Database, sets: MigrationSet[]): Promise<string[]> {
  await db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [LOCK]);
    await tx.exec(`
      create schema if not exists migrations;
      create table if not exists migrations.applied (
        name text primary key, checksum text not null, applied_at timestamptz not null default now());
    `);
  });
  const applied: string[] = [];
  for (const set of sets) {
    const files = (await readdir(set.folder)).filter((file) => file.endsWith(".sql")).sort();
    for (const file of files) {
      if (await apply(db, `${set.name}/${file}`, await readFile(join(set.folder, file), "utf8"))) {
        applied.push(`${set.name}/${file}`);
      }
    }
  }
  return applied;
}

const apply = (db: Database, name: string, sql: string) =>
  db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [LOCK]);
    const checksum = createHash("sha256").update(sql).digest("hex");
    const known = await tx.query<{ checksum: string }>("select checksum from migrations.applied where name = $1", [
      name,
    ]);
    if (known.rows[0]) {
      if (known.rows[0].checksum === checksum) return false;
      throw new Error(`The migration ${name} has changed since it was applied. Write a new one instead.`);
    }
    await tx.exec(sql);
    await tx.query("insert into migrations.applied (name, checksum) values ($1, $2)", [name, checksum]);
    return true;
  });
