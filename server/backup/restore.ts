import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { type CopiedTable, type CopyConnection, openCopyConnection, type Sequence } from "../database/copy-rows.ts";
import { hasChecksum, type MigrationSet, migrate, readMigrations } from "../database/migrate.ts";
import { openPostgres } from "../database/postgres.ts";
import { ObjectStorageError, type ObjectStore } from "../files/object-store.ts";
import { hasKey, rootKeyPath } from "../settings/secrets.ts";
import { inOrder } from "../threads/queue.ts";
import { AT_ONCE } from "./backup.ts";
import { type BackupObject, type Manifest, measuring, objectsOf, rowsName } from "./manifest.ts";
import { BackupError } from "./place.ts";
import type { Vault } from "./vault.ts";

/** An empty installation. */
export interface Target {
  databaseUrl: string;
  objects: ObjectStore;
  /** A local folder for bytes before they are stored. */
  parts: string;
  /** The folder for the file with its key, unless SECRET_KEY is set. */
  dataDir: string;
  secretKey?: string | undefined;
  sets: MigrationSet[];
}

interface RestoreOptions {
  /** Skips objects with damaged bytes, which otherwise end the restore. */
  skipDamaged?: boolean;
  /** Called after each object. */
  onObject?: () => void;
}

/**
 * Restores a backup into an empty installation whose server does not run: first the bytes, then all rows in one
 * transaction. An interrupted restore leaves no rows, and can be repeated. Resolves to the names of the skipped
 * objects.
 */
export async function restoreBackup(
  target: Target,
  vault: Vault,
  manifest: Manifest,
  options: RestoreOptions = {},
): Promise<string[]> {
  await checkMigrations(target.sets, manifest);
  const key = await keyFor(target, manifest);
  await checkDatabase(target.databaseUrl);
  await checkStore(target.objects, vault, manifest);

  const skipped: string[] = [];
  const restore = async (object: BackupObject) => ({
    object,
    isThere: await putObject(target, object, () => vault.read(vault.objectName(object.sha256))),
  });
  for await (const { object, isThere } of inOrder(objectsOf(vault, manifest), AT_ONCE, restore)) {
    if (!isThere) {
      const name = `${object.bucket}/${object.version}`;
      if (!options.skipDamaged) {
        throw new BackupError(
          `The backup's bytes of the object ${name} are missing or damaged. Nothing is restored yet. Take another backup, or leave such objects out with --skip-damaged.`,
        );
      }
      skipped.push(name);
    }
    options.onObject?.();
  }
  if (key) await writeKey(target.dataDir, key);
  await loadRows(target, { ...manifest, load: (table, into) => readTable(vault, manifest, table, into) });
  return skipped;
}

/** Rejects rows of a version of Skies whose schema this version does not know. */
export async function checkMigrations(sets: MigrationSet[], { migrations }: Pick<Rows, "migrations">) {
  const knownMigrations = await readMigrations(sets);
  const isKnown = (applied: Rows["migrations"][number]) =>
    knownMigrations.some((migration) => migration.name === applied.name && hasChecksum(migration, applied.checksum));
  const unknown = migrations.find((applied) => !isKnown(applied));
  if (unknown) {
    throw new BackupError(
      `These rows were written by another version of Skies: its migration ${unknown.name} is not the one here. Take that version or a later one.`,
    );
  }
}

/** Resolves to the root secret to write; undefined if it exists already. Rejects if it is unavailable. */
async function keyFor({ dataDir, secretKey }: Target, { keyCheck, rootKey }: Manifest): Promise<string | undefined> {
  const matches = (text: string) => hasKey(text, keyCheck);
  if (secretKey) {
    if (matches(secretKey)) return undefined;
    throw new BackupError("SECRET_KEY is not the one under which this backup was made. Set that one, or none.");
  }
  const path = rootKeyPath(dataDir);
  const present = await readFile(path, "utf8").catch(() => undefined);
  if (present !== undefined && matches(present)) return undefined;
  if (rootKey !== undefined && matches(rootKey)) return rootKey;
  if (rootKey !== undefined) throw new BackupError("The server's key in this backup is damaged.");
  throw new BackupError(
    `This backup does not contain the server's key, as it is not encrypted. Copy the secret.key of its installation to ${path}, or set SECRET_KEY to its value.`,
  );
}

/** Requires an unused database without accounts or objects. Rows that a first start creates are allowed. */
export async function checkDatabase(databaseUrl: string) {
  const connection = await openCopyConnection(databaseUrl);
  try {
    // A closed connection takes a moment to disappear.
    for (const end = Date.now() + LEAVING_MS; await isShared(connection); ) {
      if (Date.now() >= end) {
        throw new BackupError("Another program uses the database. Stop the server and all else that does.");
      }
      await delay(50);
    }
    const [tables] = await connection.query<{ known: boolean }>(
      "select to_regclass('auth.users') is not null and to_regclass('storage.objects') is not null as known",
    );
    if (tables?.known) await checkEmpty(connection);
  } finally {
    await connection.close();
  }
}

const LEAVING_MS = 2000;

async function isShared(connection: CopyConnection): Promise<boolean> {
  const [others] = await connection.query<{ many: number }>(
    `select count(*)::int as many from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  return (others?.many ?? 0) > 0;
}

async function checkEmpty(connection: CopyConnection) {
  const [database] = await connection.query<{ used: boolean }>(
    "select exists (select from auth.users) or exists (select from storage.objects) as used",
  );
  if (database?.used) {
    throw new BackupError(
      "This installation is not empty: its database has accounts or files. A backup is restored into an empty one only. Set DATA_DIR to a new folder, or DATABASE_URL to a new database.",
    );
  }
}

/** Requires a store that is empty, or has only objects from an earlier attempt to restore this backup. */
async function checkStore(objects: ObjectStore, vault: Vault, manifest: Manifest) {
  const objectKeys = new Set<string>();
  for await (const { bucket, version } of objectsOf(vault, manifest)) objectKeys.add(`${bucket}/${version}`);
  for await (const { bucket, version } of objects.keys(new Date(Date.now() + 86_400_000))) {
    if (objectKeys.has(`${bucket}/${version}`)) continue;
    throw new BackupError(
      "This installation is not empty: files are stored in it that are not in the backup. A backup is restored into an empty one only.",
    );
  }
}

/** Stores an object's bytes unless they exist. Resolves to whether they are complete and undamaged. */
export async function putObject(
  { objects, parts }: Pick<Target, "objects" | "parts">,
  { bucket, version, size, sha256 }: BackupObject,
  read: () => Promise<Readable>,
): Promise<boolean> {
  const key = { bucket, version };
  if (await objects.has(key)) {
    const present = measuring();
    await pipeline(await objects.read(key), present.stream.resume());
    if (present.sha256() === sha256) return true;
  }
  await mkdir(parts, { recursive: true });
  const part = join(parts, version);
  const measured = measuring(size);
  try {
    await pipeline(await read(), measured.stream, createWriteStream(part, { mode: 0o600, flush: true }));
  } catch (error) {
    await rm(part, { force: true });
    if (isStorageFailure(error)) throw error;
    return false;
  }
  if (measured.sha256() !== sha256 || measured.bytes() !== size) {
    await rm(part, { force: true });
    return false;
  }
  await objects.put(key, part);
  return true;
}

/** Whether a failure is independent of the bytes, e.g. a full disk or an unreachable service. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof ObjectStorageError) return true;
  const { code, cause } = error as NodeJS.ErrnoException;
  return code !== undefined && code !== "ENOENT" && (cause as NodeJS.ErrnoException | undefined)?.code !== "ENOENT";
}

/** Writes the key file. An existing key is renamed: it is useless here, but may be needed elsewhere. */
export async function writeKey(dataDir: string, key: string) {
  await mkdir(dataDir, { recursive: true });
  const path = rootKeyPath(dataDir);
  await rename(path, `${path}.replaced`).catch(() => {});
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, key, { mode: 0o600, flush: true });
  await rename(fresh, path);
}

/** The rows of a snapshot. */
export interface Rows {
  migrations: Manifest["migrations"];
  tables: CopiedTable[];
  sequences: Sequence[];
  /** Writes a table's rows into `into`; rejects if they differ from the snapshot. */
  load(table: CopiedTable, into: TableWriter): Promise<void>;
  /** Called when all rows are loaded, before migrations change them. */
  onLoaded?(connection: CopyConnection): Promise<void>;
}

type TableWriter = ReturnType<CopyConnection["copyIn"]> & { rowCount: number };

/** Loads rows into an empty database in one transaction, and migrates the schema. */
export async function loadRows({ databaseUrl, sets }: Pick<Target, "databaseUrl" | "sets">, rows: Rows) {
  const db = await openPostgres(databaseUrl);
  try {
    await migrate(db, sets, new Set(rows.migrations.map(({ name }) => name)));
    const connection = await openCopyConnection(databaseUrl);
    try {
      await connection.query("begin");
      await replaceRows(connection, rows);
      await connection.query("commit");
      await connection.query("analyze");
    } finally {
      await connection.close();
    }
    await migrate(db, sets);
    // The place of backups may be on this machine another, empty one.
    await db.exec("delete from private.backup_places");
  } finally {
    await db.close();
  }
}

interface ForeignKey {
  relation: string;
  name: string;
  definition: string;
}

/** Replaces the rows that a first start created. Requires only the rights of the tables' owner, no superuser. */
async function replaceRows(connection: CopyConnection, rows: Rows) {
  const tables = await connection.tables();
  const names = tables.map(({ name }) => name);
  const missing = rows.tables.find(({ name }) => !names.includes(name));
  if (missing) throw new BackupError(`The table ${missing.name} is not in this version of Skies.`);
  await connection.query(`lock table ${names.join(", ")} in access exclusive mode`);
  await checkEmpty(connection);
  const keys = await connection.query<ForeignKey>(
    `select conrelid::regclass::text as relation, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace::regnamespace::text !~ '^pg_'`,
  );
  for (const { relation, name } of keys) await connection.query(`alter table ${relation} drop constraint ${name}`);
  // One trigger prevents truncating its table; the others would add rows.
  for (const name of names) await connection.query(`alter table ${name} disable trigger user`);
  await connection.query(`truncate ${names.join(", ")}`);
  for (const table of rows.tables) await rows.load(table, connection.copyIn(table) as TableWriter);
  await rows.onLoaded?.(connection);
  for (const name of names) await connection.query(`alter table ${name} enable trigger user`);
  for (const { relation, name, definition } of keys) {
    await connection.query(`alter table ${relation} add constraint ${name} ${definition}`);
  }
  // Backups contain no copies of videos: the server makes them again.
  await connection.query(
    "update media set playback = null, playback_progress = null where playback in ('making', 'ready')",
  );
  await connection.query("update media set motion = 'waiting' where motion = 'ready'");
  for (const { name, value, called } of rows.sequences) {
    await connection.query("select setval($1::regclass, $2, $3)", [name, value, called]);
  }
}

async function readTable(vault: Vault, { id, tables }: Manifest, { name }: CopiedTable, into: TableWriter) {
  const table = tables.find((one) => one.name === name);
  const measured = measuring(table?.bytes);
  const damaged = () => new BackupError(`The rows of the table ${name} are damaged in the backup ${id}.`);
  if (!table) throw damaged();
  const source = await vault.read(rowsName(id, table)).catch(() => {
    throw damaged();
  });
  await pipeline(source, createGunzip(), measured.stream, into).catch((error: unknown) => {
    // PostgreSQL's own messages suffice.
    throw (error as { severity?: string }).severity ? error : damaged();
  });
  if (into.rowCount !== table.rows || measured.sha256() !== table.sha256) throw damaged();
}
