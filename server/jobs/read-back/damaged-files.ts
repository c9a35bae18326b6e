import type { Database } from "../../database/database.ts";
import { reasonOf } from "../file-failures.ts";
import { type Restoring, restoreBytes } from "./intact-copy.ts";
import { type Difference, differenceOf, type PacedReader, type StoredFile } from "./paced-reader.ts";
import { CHECKSUMS, COLUMNS, isCurrent, isStoreAvailable } from "./stored-files.ts";

export interface ReadBackDeps extends Restoring {
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

interface DamagedFile extends StoredFile {
  kind: Difference;
  attempts: number;
  /** Whether it was found at least a day ago. */
  isOld: boolean;
  /** How long no intact copy has been found, at least; null if one may exist. */
  lostFor: "a moment" | "a day" | null;
}

/** The pauses until a damaged file is read again: after an error of a store, and once no copy was found. */
const RETRY_HOURS = 1;
const UNREADABLE_HOURS = 8;
const LOST_DAYS = 7;
/** The readings after which a file that cannot be read, while others can, is treated like a missing one. */
const UNREADABLE_ATTEMPTS = 3;
/** The damaged files that one run reads again. */
const AT_ONCE = 50;

const DAMAGED = `select ${COLUMNS}, x.kind, x.attempts, x.found_at <= now() - interval '1 day' as "isOld",
    case when x.lost_at <= now() - interval '1 day' then 'a day' when x.lost_at is not null then 'a moment' end as "lostFor"
  from private.damaged_files x join storage.objects o on o.id = x.object_id and o.version = x.version ${CHECKSUMS}`;

/** The store lacks most files or returns none, so no file is judged. The job fails and is tried again. */
class StoreUnavailableError extends Error {
  constructor() {
    super(
      "The store of files is not available, or lacks most of several files. No file is judged until it returns them.",
    );
  }
}

/**
 * Reads a file that differed once more. If it differs again, and the store is available, it is recorded and
 * repaired.
 */
export async function confirmDifference(deps: ReadBackDeps, reader: PacedReader, file: StoredFile): Promise<void> {
  const { db, log } = deps;
  if (!(await isCurrent(db, file))) return;
  const difference = differenceOf(await reader.read(file), file);
  if (!difference) {
    log.warn({ bucket: file.bucket }, "A stored file differed from its checksum at one reading, and not at the next");
    return;
  }
  if (!(await isCurrent(db, file))) return;
  if (!(await isStoreAvailable(deps, reader, file, difference))) throw new StoreUnavailableError();
  const { rows } = await db.query(
    `with recorded as (
       insert into private.damaged_files as x (object_id, version, kind)
       select o.id, o.version, $3 from storage.objects o where o.id = $1 and o.version = $2
       on conflict (object_id) do update set version = excluded.version, kind = excluded.kind, found_at = now(), attempts = 0,
         next_at = now(), reason = null, lost_at = null, told_at = null where x.version <> excluded.version
       returning object_id
     )
     update private.read_back set differences = differences + 1 where exists (select from recorded) returning id`,
    [file.id, file.version, difference],
  );
  if (rows.length === 0) return;
  log.warn({ bucket: file.bucket, difference }, "A stored file is not as it was uploaded");
  await repair(deps, reader, { ...file, kind: difference, attempts: 0, isOld: false, lostFor: null });
}

/** Reads the damaged files again that are due, and repairs those that still differ. */
export async function repairDueFiles(deps: ReadBackDeps, reader: PacedReader): Promise<void> {
  const { db } = deps;
  await db.query(
    "delete from private.damaged_files x using storage.objects o where o.id = x.object_id and o.version <> x.version",
  );
  const { rows } = await db.query<DamagedFile>(`${DAMAGED} where x.next_at <= now() order by x.next_at limit $1`, [
    AT_ONCE,
  ]);
  for (const file of rows) {
    const kind = differenceOf(await reader.read(file), file);
    if (!kind) {
      await forget(db, file, false);
      continue;
    }
    if (!(await isCurrent(db, file))) continue;
    if (!(await isStoreAvailable(deps, reader, file, kind))) throw new StoreUnavailableError();
    await repair(deps, reader, { ...file, kind });
  }
}

const forget = (db: Database, { id, version }: StoredFile, wasMended: boolean) =>
  db.query("select private.forget_damage($1, $2, $3)", [id, version, wasMended]);

/**
 * Replaces the bytes by an intact copy. If there is none, the file is lost: after a day, in which an administrator can
 * connect a copy, and another reading, the owner is told.
 */
async function repair(deps: ReadBackDeps, reader: PacedReader, file: DamagedFile): Promise<void> {
  const { db, log } = deps;
  const isMaybeReadable = file.kind === "unreadable" && (file.attempts < UNREADABLE_ATTEMPTS || !file.isOld);
  if (isMaybeReadable) return postpone(db, file, UNREADABLE_HOURS, "The file cannot be read at the moment");
  let isRestored: boolean;
  try {
    isRestored = await restoreBytes(deps, reader, file);
  } catch (error) {
    deps.signal.throwIfAborted();
    return postpone(db, file, RETRY_HOURS, reasonOf(error));
  }
  if (!isRestored) return markLost(deps, file);
  const difference = differenceOf(await reader.read(file), file);
  if (difference) return postpone(db, file, RETRY_HOURS, `The restored bytes are not returned either (${difference})`);
  await forget(db, file, true);
  log.warn({ bucket: file.bucket }, "A damaged file was restored from a copy");
}

async function postpone(db: Database, { id, version, kind }: DamagedFile, hours: number, reason: string) {
  await db.query(
    `update private.damaged_files set kind = $3, attempts = attempts + 1, next_at = now() + make_interval(hours => $4), reason = $5
     where object_id = $1 and version = $2`,
    [id, version, kind, hours, reason],
  );
}

/** Tells the owner first: a run that ends in between leaves the file due, and nobody is told twice. */
async function markLost({ db, log }: ReadBackDeps, { id, version, kind, bucket, lostFor }: DamagedFile): Promise<void> {
  if (lostFor === "a day") await db.query("select private.tell_of_lost_file($1)", [id]);
  await db.query(
    `update private.damaged_files set kind = $3, attempts = attempts + 1, reason = null, lost_at = coalesce(lost_at, now()),
       next_at = now() + make_interval(days => $4)
     where object_id = $1 and version = $2`,
    [id, version, kind, lostFor === "a day" ? LOST_DAYS : 1],
  );
  if (!lostFor) log.error({ bucket, kind }, "A damaged file has no intact copy");
}
