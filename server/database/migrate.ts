import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, isSqlError, type Transaction } from "./database.ts";

/** A folder of `0001_name.sql` files, applied in the order of their names. */
export interface MigrationSet {
  name: string;
  folder: string;
}

/** The sets of Skies in the order of application. */
export const migrationSets = (root: string): MigrationSet[] => [
  { name: "database", folder: join(root, "server/database/migrations") },
  { name: "supabase", folder: join(root, "server/supabase/migrations") },
  { name: "product", folder: join(root, "db/migrations") },
];

/** An arbitrary lock number for processes that start together. */
const LOCK = 7_545_937;

/**
 * Checksums of texts that a migration had before, for a migration that an ordinary database user could not apply. With
 * the later migrations, both texts lead to the same schema.
 */
const FORMER_CHECKSUMS: Record<string, string[]> = {
  // It gave the service role an attribute that only a superuser may give.
  "database/0001_callers.sql": ["35aac7d862eedd38665f61d73383d95cece65932786708d9edc14454774e5019"],
};

/**
 * Applies all missing migrations, each in a transaction with the row that records it. Rejects if an applied one has
 * changed since. Resolves to the names applied now. With `only`, e.g. for a backup of an earlier version, the others
 * are not applied.
 */
export async function migrate(db: Database, sets: MigrationSet[], only?: ReadonlySet<string>): Promise<string[]> {
  const migrations = (await readMigrations(sets)).filter(({ name }) => !only || only.has(name));
  // Most starts have nothing to apply: that takes one query, and only a missing migration takes the lock.
  const rows = await readApplied(db).catch(async (error: unknown) => {
    if (!isSqlError(error) || error.code !== UNDEFINED_TABLE) throw error;
    await db.transaction(makeTable);
    return readApplied(db);
  });
  const appliedByName = new Map(rows.map((row) => [row.name, row]));
  const applied: string[] = [];
  for (const { name, sql } of migrations) {
    if (!isApplied(appliedByName.get(name), name, sql) && (await apply(db, name, sql))) applied.push(name);
  }
  return applied;
}

/**
 * Applies the missing migrations in one transaction, and rolls it back. Resolves to their names; rejects like {@link
 * migrate}. Changed tables are locked meanwhile.
 */
export async function tryMigrations(db: Database, sets: MigrationSet[]): Promise<string[]> {
  const tried: string[] = [];
  const undone = new Error("Rolled back");
  const attempt = db.transaction(async (tx) => {
    await makeTable(tx);
    const appliedByName = new Map((await readApplied(tx)).map((row) => [row.name, row]));
    for (const { name, sql } of await readMigrations(sets)) {
      if (isApplied(appliedByName.get(name), name, sql)) continue;
      await tx.exec(sql);
      tried.push(name);
    }
    throw undone;
  });
  await attempt.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return tried;
}

const UNDEFINED_TABLE = "42P01";

const readApplied = async (db: Transaction) =>
  (await db.query<Applied>("select name, checksum from migrations.applied")).rows;

async function makeTable(tx: Transaction) {
  await tx.query("select pg_advisory_xact_lock($1)", [LOCK]);
  await tx.exec(`
    create schema if not exists migrations;
    create table if not exists migrations.applied (
      name text primary key, checksum text not null, applied_at timestamptz not null default now());
  `);
}

/** Every migration of the sets in the order of application. */
export const readMigrations = async (sets: MigrationSet[]): Promise<{ name: string; sql: string }[]> =>
  (await Promise.all(sets.map(read))).flat();

/** The files of a set, by name. */
async function read({ name, folder }: MigrationSet): Promise<{ name: string; sql: string }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => ({ name: `${name}/${file}`, sql: await readFile(join(folder, file), "utf8") })),
  );
}

interface Applied {
  name: string;
  checksum: string;
}

const checksumOf = (sql: string) => createHash("sha256").update(sql).digest("hex");

/** Whether a migration has, or had, a text with this checksum. */
export const hasChecksum = ({ name, sql }: { name: string; sql: string }, checksum: string): boolean =>
  checksum === checksumOf(sql) || (FORMER_CHECKSUMS[name]?.includes(checksum) ?? false);

function isApplied(applied: Applied | undefined, name: string, sql: string): boolean {
  if (!applied) return false;
  if (hasChecksum({ name, sql }, applied.checksum)) return true;
  throw new Error(`The migration ${name} has changed since it was applied. Write a new one instead.`);
}

const apply = (db: Database, name: string, sql: string) =>
  db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [LOCK]);
    // Another process may have applied it meanwhile.
    const { rows } = await tx.query<Applied>("select name, checksum from migrations.applied where name = $1", [name]);
    if (isApplied(rows[0], name, sql)) return false;
    await tx.exec(sql);
    await tx.query("insert into migrations.applied (name, checksum) values ($1, $2)", [name, checksumOf(sql)]);
    return true;
  });
