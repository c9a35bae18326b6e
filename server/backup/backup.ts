import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type CopiedTable, type CopyConnection, KEEP_BYTES_LOCK, openCopyConnection } from "../database/copy-rows.ts";
import { isConnectionFailure } from "../database/postgres.ts";
import { type BytesKey, MissingBytesError, type ObjectStore } from "../files/object-store.ts";
import { checkOfKey, type RootKeys, textOfKeys } from "../settings/secrets.ts";
import { inOrder, queue } from "../threads/queue.ts";
import { noteNewest } from "./known-places.ts";
import {
  type BackupObject,
  findBackups,
  folderOf,
  idAt,
  type Manifest,
  manifestName,
  measuring,
  objectsName,
  objectsOf,
  readManifest,
  rowsName,
  timeOf,
} from "./manifest.ts";
import { BackupError, textFile } from "./place.ts";
import type { Vault } from "./vault.ts";

/** The source of a backup: all rows, and the bytes that they refer to. */
export interface Source {
  databaseUrl: string;
  objects: ObjectStore;
  rootKeys: RootKeys;
}

export interface BackupOptions {
  /** Days after which a backup is removed; the newest one stays. */
  keepDays?: number | undefined;
  /** Reads also the objects that the folder already has, and copies damaged ones again. */
  check?: boolean;
  now?: () => Date;
  /** Called once the snapshot of the rows exists. */
  onSnapshot?: (connection: CopyConnection) => Promise<void>;
}

export interface BackupResult {
  id: string;
  rows: number;
  objects: number;
  bytes: number;
  /** Objects that were not in the folder yet. */
  copied: number;
  unreadable: string[];
  removed: string[];
}

/** An object's row. */
export interface StoredObject extends Omit<BytesKey, "sha256"> {
  name: string;
  sha256: string | null;
  size: number | null;
}

const BATCH = 1000;
/** Objects that are copied in parallel, because an object storage service takes a while for each response. */
export const AT_ONCE = 4;
const LOST =
  "The database stopped or restarted, so this backup is not complete. Earlier ones are whole. Make it again: it continues with the files that it has already copied.";
/** An arbitrary lock number. */
const ONE_AT_A_TIME = 7_545_939;

/**
 * Backs up the rows of one snapshot and their bytes while the server runs. After an interruption earlier backups are
 * intact, and the next one reuses the copied bytes.
 */
export async function makeBackup(source: Source, vault: Vault, options: BackupOptions = {}): Promise<BackupResult> {
  const now = options.now ?? (() => new Date());
  const connection = await openCopyConnection(source.databaseUrl);
  try {
    const [turn] = await connection.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      ONE_AT_A_TIME,
    ]);
    if (!turn?.mine) throw new BackupError("Another backup is being made.");
    // A lost connection ends the lock, and another backup may begin. Then this statement fails.
    const holdsTurn = () => connection.query("select");
    const { broken } = await findBackups(vault);
    for (const id of broken) await vault.removeFolder(folderOf(id));
    await vault.removeUnfinished();
    const takenAt = now();
    const id = idAt(takenAt);
    if ((await vault.size(manifestName(id))) !== undefined) throw new BackupError(`There is a backup ${id} already.`);
    // The lock is held until all objects are copied, so that the snapshot's bytes are not removed. Closing the
    // connection releases it.
    await connection.query("select pg_advisory_lock_shared($1)", [KEEP_BYTES_LOCK]);
    await connection.query("begin isolation level repeatable read read only");
    const migrations = await appliedMigrations(connection);
    await options.onSnapshot?.(connection);
    const tables = await copyTables(connection, vault, id);
    const sequences = await connection.sequences();
    const snapshotObjects = await readObjects(connection);
    // An open transaction would keep PostgreSQL from vacuuming for hours.
    await connection.query("commit");
    const copying = copyObjects(snapshotObjects.list(), source.objects, vault, id, options.check);
    const { copied, unreadable, ...objects } = await copying.finally(snapshotObjects.remove);
    const [lock] = await connection.query<{ held: boolean }>("select pg_advisory_unlock_shared($1) as held", [
      KEEP_BYTES_LOCK,
    ]);
    if (!lock?.held) throw new BackupError(LOST);

    const manifest: Manifest = {
      id,
      takenAt: takenAt.toISOString(),
      finishedAt: now().toISOString(),
      migrations,
      tables,
      sequences,
      objects,
      unreadable,
      keyCheck: checkOfKey(source.rootKeys[0]),
      ...(vault.isEncrypted && { rootKey: textOfKeys(source.rootKeys) }),
    };
    await vault.write(manifestName(id), textFile(JSON.stringify(manifest, null, 1)));
    await noteNewest(connection, vault.title, timeOf(id));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const removed = options.keepDays === undefined ? [] : await removeOld(vault, options.keepDays, now(), holdsTurn);
    return { id, rows, objects: objects.count, bytes: objects.bytes, copied, unreadable, removed };
  } catch (cause) {
    if (!isConnectionFailure(cause)) throw cause;
    throw new BackupError(LOST, { cause });
  } finally {
    await connection.close().catch(() => {});
  }
}

/** Every migration that has been applied, in the order of application. */
export const appliedMigrations = (connection: CopyConnection): Promise<Manifest["migrations"]> =>
  connection.query("select name, checksum from migrations.applied order by applied_at, name");

async function copyTables(connection: CopyConnection, vault: Vault, id: string): Promise<Manifest["tables"]> {
  const copied: Manifest["tables"] = [];
  // The connection sends the tables one by one, while earlier ones are still being written.
  const reading = queue(1);
  const copy = async (table: CopiedTable) => {
    const measured = measuring();
    const zipped = createGzip({ level: 4 });
    let rows = 0;
    const read = async () => {
      const out = connection.copyOut(table) as Readable & { rowCount: number };
      await pipeline(out, measured.stream, zipped);
      rows = out.rowCount;
    };
    await Promise.all([reading.run(read), vault.write(rowsName(id, table), zipped)]);
    return { ...table, rows, sha256: measured.sha256(), bytes: measured.bytes() };
  };
  for await (const table of inOrder(await connection.tables(), AT_ONCE, copy)) copied.push(table);
  return copied;
}

/** Copies the snapshot's objects that the vault lacks, and lists them all. */
async function copyObjects(
  objects: AsyncIterable<StoredObject>,
  store: ObjectStore,
  vault: Vault,
  id: string,
  check = false,
): Promise<Manifest["objects"] & { copied: number; unreadable: string[] }> {
  const backedUp = { count: 0, bytes: 0, copied: 0, unreadable: [] as string[] };
  const listed = measuring();
  async function* lines() {
    const keep = async (object: StoredObject) => ({ object, kept: await keepObject(object, store, vault, check) });
    for await (const { object, kept: storedObject } of inOrder(objects, AT_ONCE, keep)) {
      if (!storedObject) {
        backedUp.unreadable.push(`${object.bucket}/${object.name}`);
        continue;
      }
      backedUp.count += 1;
      backedUp.bytes += storedObject.size;
      if (storedObject.isNew) backedUp.copied += 1;
      const line: BackupObject = {
        bucket: object.bucket,
        version: object.version,
        size: storedObject.size,
        sha256: storedObject.sha256,
      };
      yield `${JSON.stringify(line)}\n`;
    }
  }
  const zipped = createGzip();
  const list = Readable.from(lines(), { objectMode: false });
  await Promise.all([pipeline(list, listed.stream, zipped), vault.write(objectsName(id), zipped)]);
  return { ...backedUp, sha256: listed.sha256() };
}

/** The snapshot's objects, in a local file because there may be millions. */
export async function readObjects(connection: CopyConnection) {
  const folder = await mkdtemp(join(tmpdir(), "skies-backup-"));
  const path = join(folder, "objects.jsonl");
  const remove = () => rm(folder, { recursive: true, force: true });
  async function* lines() {
    for (let after = ""; ; ) {
      const batch = await connection.query<StoredObject>(
        `select bucket_id as bucket, version, name, metadata ->> 'sha256' as sha256, (metadata ->> 'size')::float8 as size
         from storage.objects where version > $1 order by version limit ${BATCH}`,
        [after],
      );
      for (const object of batch) yield `${JSON.stringify(object)}\n`;
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return;
      after = last.version;
    }
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  async function* list() {
    for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line) as StoredObject;
  }
  return { list, remove };
}

/** Copies an object's bytes into the vault if it lacks them; undefined if they are missing or damaged. */
async function keepObject(
  object: StoredObject,
  store: ObjectStore,
  vault: Vault,
  check: boolean,
): Promise<{ size: number; sha256: string; isNew: boolean } | undefined> {
  const key = { bucket: object.bucket, version: object.version };
  const measures = await measuresOf(object, store);
  if (!measures) return undefined;
  const { sha256, size } = measures;
  const name = vault.objectName(sha256);
  const isThere =
    (await vault.size(name)) === vault.storedSize(size) && (!check || (await isIntact(vault, name, sha256)));
  if (isThere) return { size, sha256, isNew: false };
  const measured = measuring();
  try {
    const bytes = await store.read(key);
    // The file gets its name only when it is complete and matches its row.
    const whole = async function* () {
      yield* bytes.pipe(measured.stream);
      if (measured.sha256() !== sha256) throw new DamagedError();
    };
    bytes.once("error", (error) => measured.stream.destroy(error));
    await vault.write(name, Readable.from(whole(), { objectMode: false }));
  } catch (error) {
    if (error instanceof MissingBytesError || error instanceof DamagedError) return undefined;
    throw error;
  }
  return { size: measured.bytes(), sha256, isNew: true };
}

class DamagedError extends Error {}

/** Resolves to an object's checksum and length, computed if the row lacks them; undefined without bytes. */
export async function measuresOf(
  { bucket, version, sha256, size }: StoredObject,
  store: ObjectStore,
): Promise<{ sha256: string; size: number } | undefined> {
  if (sha256 !== null && size !== null) return { sha256, size };
  const measured = measuring();
  try {
    await pipeline(await store.read({ bucket, version }), measured.stream.resume());
  } catch (error) {
    if (error instanceof MissingBytesError) return undefined;
    throw error;
  }
  return { sha256: measured.sha256(), size: measured.bytes() };
}

/** Resolves to whether the bytes of a file in the vault have this checksum. */
export async function isIntact(vault: Vault, name: string, sha256: string): Promise<boolean> {
  const measured = measuring();
  const end = await vault
    .read(name)
    .then((bytes) => pipeline(bytes, measured.stream.resume()))
    .catch((error: unknown) => error ?? "failed");
  return end === undefined && measured.sha256() === sha256;
}

/**
 * Removes backups older than so many days except the newest, then the objects that no backup refers to. `holdsTurn`
 * rejects once another backup may be storing objects, which it does not list before its end.
 */
async function removeOld(
  vault: Vault,
  keepDays: number,
  now: Date,
  holdsTurn: () => Promise<unknown>,
): Promise<string[]> {
  const { whole } = await findBackups(vault);
  const before = now.getTime() - keepDays * 86_400_000;
  const old = whole.slice(0, -1).filter((id) => timeOf(id).getTime() < before);
  if (old.length === 0) return [];
  const objectNames = new Set<string>();
  for (const id of whole.filter((one) => !old.includes(one))) {
    for await (const { sha256 } of objectsOf(vault, await readManifest(vault, id)))
      objectNames.add(vault.objectName(sha256));
  }
  for (const id of old) {
    // A backup without a manifest is unfinished, and the next backup removes it.
    await vault.remove(manifestName(id));
    await vault.removeFolder(folderOf(id));
  }
  for await (const name of vault.list("objects")) {
    if (objectNames.has(name)) continue;
    await holdsTurn();
    await vault.remove(name);
  }
  return old;
}
