import { pipeline } from "node:stream/promises";
import { type CopiedTable, type CopyConnection, KEEP_BYTES_LOCK, openCopyConnection } from "../database/copy-rows.ts";
import { checkOfKey, textOfKeys } from "../settings/secrets.ts";
import { inOrder } from "../threads/queue.ts";
import { AT_ONCE, appliedMigrations, measuresOf, readObjects, type Source, type StoredObject } from "./backup.ts";
import { BackupError } from "./place.ts";
import { makeReadOnly, makeWritable } from "./read-only.ts";
import { checkDatabase, checkMigrations, loadRows, putObject, type Target, writeKey } from "./restore.ts";

export interface MoveTarget extends Omit<Target, "dataDir" | "secretKey"> {
  /** The folder for a file with the source's key. If absent, the new servers get the key as SECRET_KEY. */
  dataDir?: string | undefined;
}

interface MoveOptions {
  /** Called after each object. */
  onObject?: () => void;
  /** Called when the source has become read-only. */
  onReadOnly?: () => Promise<void> | void;
}

export interface MoveResult {
  rows: number;
  objects: number;
  /** Objects whose bytes are missing or damaged in the source: their rows are moved. */
  unreadable: string[];
}

/** An arbitrary lock number. */
const ONE_AT_A_TIME = 7_545_940;

/**
 * Moves an installation's rows and bytes into an empty one while the source's servers run: first the bytes, then the
 * rows while the source is read-only. The source stays read-only, so that no later writes are lost. After an
 * interruption it can be started again; existing bytes are compared and kept.
 */
export async function moveInstallation(
  source: Source,
  target: MoveTarget,
  options: MoveOptions = {},
): Promise<MoveResult> {
  const connection = await openCopyConnection(source.databaseUrl);
  try {
    const [turn] = await connection.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      ONE_AT_A_TIME,
    ]);
    if (!turn?.mine) throw new BackupError("This installation is being moved by another process.");
    // The lock is held until the end, so that listed bytes are not removed.
    await connection.query("select pg_advisory_lock_shared($1)", [KEEP_BYTES_LOCK]);
    await checkMigrations(target.sets, { migrations: await appliedMigrations(connection) });
    await beginTarget(target, checkOfKey(source.rootKeys[0]));
    const moved = new Map<string, boolean>();
    const moveObjects = () => copyObjects(connection, source, target, moved, options.onObject);
    await moveObjects();
    await makeReadOnly(connection);
    try {
      await options.onReadOnly?.();
      const objects = await moveObjects();
      if (target.dataDir) await writeKey(target.dataDir, textOfKeys(source.rootKeys));
      return { ...objects, rows: await moveRows(connection, target) };
    } catch (error) {
      // The target has no rows yet, so the source becomes writable again.
      await cancelMove(source.databaseUrl);
      throw error;
    }
  } finally {
    await connection.close().catch(() => {});
  }
}

/** Makes the source of a move writable again. Its later changes are missing in the new installation. */
export async function cancelMove(databaseUrl: string): Promise<void> {
  const connection = await openCopyConnection(databaseUrl);
  await makeWritable(connection).finally(() => connection.close());
}

/** Checks that the target contains nothing but what this move put there. */
async function beginTarget({ databaseUrl, objects }: MoveTarget, key: string) {
  await checkDatabase(databaseUrl);
  const connection = await openCopyConnection(databaseUrl);
  try {
    await connection.query("create schema if not exists migrations");
    await connection.query(`create table if not exists ${MARK} (source text not null)`);
    const [marked] = await connection.query<{ source: string }>(`select source from ${MARK}`);
    if (marked && marked.source !== key) throw new BackupError("Another installation is being moved to there.");
    if (marked) return;
    for await (const _ of objects.keys(new Date(Date.now() + 86_400_000))) {
      throw new BackupError("Files are stored there already. An installation is moved to an empty place only.");
    }
    await connection.query(`insert into ${MARK} values ($1)`, [key]);
  } finally {
    await connection.close();
  }
}

/** A table of the target that identifies the source until the move is complete. */
const MARK = "migrations.moving";

/** Copies the objects that the target lacks. */
async function copyObjects(
  connection: CopyConnection,
  source: Source,
  target: MoveTarget,
  moved: Map<string, boolean>,
  onObject?: () => void,
): Promise<Pick<MoveResult, "objects" | "unreadable">> {
  const objectList = await readObjects(connection);
  const check = { objects: 0, unreadable: [] as string[] };
  const put = async (object: StoredObject) => {
    const measures = moved.get(object.version) ? undefined : await measuresOf(object, source.objects);
    if (!measures) return { object, isThere: moved.get(object.version) ?? false };
    const read = () => source.objects.read({ bucket: object.bucket, version: object.version });
    return { object, isThere: await putObject(target, { ...object, ...measures }, read) };
  };
  try {
    for await (const { object, isThere } of inOrder(objectList.list(), AT_ONCE, put)) {
      moved.set(object.version, isThere);
      if (isThere) check.objects += 1;
      else check.unreadable.push(`${object.bucket}/${object.name}`);
      onObject?.();
    }
  } finally {
    await objectList.remove();
  }
  return check;
}

/** Copies the rows of a snapshot, and compares them with the target's before the commit. */
async function moveRows(connection: CopyConnection, target: MoveTarget): Promise<number> {
  await connection.query("begin isolation level repeatable read read only");
  const tables = await connection.tables();
  const sums = new Map<string, Sum>();
  await loadRows(target, {
    migrations: await appliedMigrations(connection),
    tables,
    sequences: await connection.sequences(),
    async load(table, into) {
      sums.set(table.name, await sumOf(connection, table));
      await pipeline(connection.copyOut(table), into);
    },
    async onLoaded(there) {
      for (const table of tables) {
        const [sent, stored] = [sums.get(table.name), await sumOf(there, table)];
        if (sent?.rows !== stored.rows || sent.sum !== stored.sum) {
          throw new BackupError(
            `The rows of the table ${table.name} did not arrive as they were sent. Nothing is moved.`,
          );
        }
      }
      await there.query(`drop table ${MARK}`);
    },
  });
  await connection.query("commit");
  return [...sums.values()].reduce((total, { rows }) => total + Number(rows), 0);
}

interface Sum {
  rows: string;
  sum: string;
}

/** Resolves to a table's row count and sum of checksums, independent of the rows' order. */
async function sumOf(connection: CopyConnection, table: CopiedTable): Promise<Sum> {
  // The text of a value is the same in all versions of PostgreSQL, unlike PostgreSQL's own hash.
  const columns = connection.columnsOf(table);
  const [sum] = await connection.query<Sum>(
    `select count(*)::text as rows, coalesce(sum(('x' || left(md5(row(${columns})::text), 16))::bit(64)::bigint::numeric), 0)::text as sum
     from ${table.name}`,
  );
  if (!sum) throw new Error("A count yielded no row");
  return sum;
}
