import { BYTES_ARE_KEPT } from "../../database/copy-rows.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { BytesKey, StoredKey } from "../../files/object-store.ts";

/**
 * The only module that removes stored bytes. It asks `storage.decide_removals` first, which looks whether a row names
 * the version and, if none does, refuses any later row. So a row never names removed bytes, whatever is still waiting in
 * the database, and whichever process is killed.
 */
interface Deps {
  db: Database;
  files: Files;
}

/** The most tombstones decided in one transaction, which holds a lock for each. */
const DECIDED_AT_ONCE = 100;
const LISTED_AT_ONCE = 500;
const DAY_SECONDS = 86_400;
/** The greatest age of a tombstone for bytes without a row. They are listed every hour. */
const LISTED_AFTER_SECONDS = 2 * 3600;
/** The days for which no row may name a removed version: much longer than any transaction. */
const REFUSED_DAYS = 30;

/** Bytes that nothing names, for so many seconds. */
interface Unnamed extends BytesKey {
  age: number;
}

/** Tests choose a clock. Its difference from this process's applies to the database's. */
const aheadOf = (now: number) => Math.round((now - Date.now()) / 1000);

/**
 * Removes bytes that were never an object: of uploads that were refused, cancelled or broken off. Bytes that a row names
 * or may still name stay. Never rejects, as the caller has an error of its own; what is left is removed by the sweep.
 */
export async function discardBytes({ db, files }: Deps, keys: BytesKey[]): Promise<void> {
  try {
    await addTombstones(
      db,
      keys.map((key) => ({ ...key, age: DAY_SECONDS })),
    );
    const versions = keys.map(({ version }) => version);
    for (let at = 0; at < versions.length; at += DECIDED_AT_ONCE) {
      await decide({ db, files }, 0, versions.slice(at, at + DECIDED_AT_ONCE));
    }
  } catch {
    // The tombstones, or the hourly list of bytes, lead the sweep to them.
  }
}

/** Ends the tombstones of bytes that a running process will name when it has stored all of them, e.g. an import. */
export async function endTombstones(db: Database, keys: BytesKey[]): Promise<void> {
  await db.query("delete from storage.discarded where version = any ($1)", [keys.map(({ version }) => version)]);
}

/** Removes the bytes whose tombstone is a day old, unless a row names them again or a backup needs them. */
export async function removeDiscarded({ db, files }: Deps, now = Date.now()): Promise<void> {
  await clear(
    { db, files },
    (
      await db.query<BytesKey>(
        "select version, bucket_id as bucket from storage.removed where version is not null limit 10000",
      )
    ).rows,
  );
  while ((await decide({ db, files }, aheadOf(now))) > 0);
  await db.query(
    "delete from storage.removed where version is null and removed_at < now() + make_interval(secs => $1, days => $2)",
    [aheadOf(now), -REFUSED_DAYS],
  );
}

/**
 * Lists all stored bytes, and adds tombstones for those without a row, e.g. of a killed process. Their day begins when
 * they were stored, at most two hours ago, so that a wrong or older database has no bytes removed at once. Received
 * parts of stored objects are removed.
 */
export async function discardStrays({ db, files }: Deps, now = Date.now()): Promise<void> {
  const strayFrom = ({ storedAt, ...key }: StoredKey): Unnamed => ({
    ...key,
    // Bytes may be stored while they are listed.
    age: Math.max(0, Math.min(LISTED_AFTER_SECONDS, (now - storedAt.getTime()) / 1000)),
  });
  await inBatches(files.objects.keys(new Date(now)), (keys) => addTombstones(db, keys.map(strayFrom)));
  await inBatches(files.incoming.keys(new Date(now)), (keys) => addTombstones(db, keys.map(strayFrom)));
  await inBatches(files.incoming.keys(new Date(now - LISTED_AFTER_SECONDS * 1000)), (keys) =>
    removeParts({ db, files }, keys),
  );
  await inBatches(await files.copies.versions(), (versions) =>
    addTombstones(
      db,
      versions.map((version) => ({ bucket: "", version, age: LISTED_AFTER_SECONDS })),
    ),
  );
  await files.incoming.removeScratch(new Date(now - DAY_SECONDS * 1000));
}

/** Removes this machine's cached copies of versions that nothing names. Every process does so for its machine. */
export async function forgetCachedCopies({ db, files }: Deps): Promise<void> {
  const { cached, forgetCached } = files.copies;
  if (!cached || !forgetCached) return;
  await inBatches(await cached(), async (versions) => {
    const { rows } = await db.query<{ version: string }>(
      "select version from unnest($1::text[]) u (version) where not exists (select from storage.objects o where o.version = u.version)",
      [versions],
    );
    for (const { version } of rows) await forgetCached(version);
  });
}

async function inBatches<Item>(items: AsyncIterable<Item> | Item[], work: (batch: Item[]) => Promise<void>) {
  const batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) === LISTED_AT_ONCE) await work(batch.splice(0));
  }
  if (batch.length > 0) await work(batch);
}

async function addTombstones(db: Database, keys: Unnamed[]): Promise<void> {
  await db.query("select storage.discard_unnamed($1, $2, $3)", [
    keys.map(({ version }) => version),
    keys.map(({ bucket }) => bucket),
    // Not a time, because the clocks of process and database differ.
    keys.map(({ age }) => age),
  ]);
}

/** Decides on tombstones that are due, of all or these versions, and removes bytes. Resolves to the decided number. */
async function decide(deps: Deps, aheadSeconds: number, versions?: string[]): Promise<number> {
  const { rows } = await deps.db.query<BytesKey & { is_removed: boolean }>(
    `select version, bucket_id as bucket, is_removed
     from storage.decide_removals($1, now() + make_interval(secs => $2), ${BYTES_ARE_KEPT}, $3)`,
    [DECIDED_AT_ONCE, aheadSeconds, versions ?? null],
  );
  await clear(
    deps,
    rows.filter(({ is_removed }) => is_removed),
  );
  return rows.length;
}

/** Removes bytes that the database has decided to remove. May be repeated. */
async function clear({ db, files }: Deps, keys: BytesKey[]): Promise<void> {
  for (let at = 0; at < keys.length; at += DECIDED_AT_ONCE) {
    const batch = keys.slice(at, at + DECIDED_AT_ONCE);
    await files.removeBytes(batch.map(({ bucket, version }) => ({ bucket, version })));
    await db.query("update storage.removed set version = null, bucket_id = null where version = any ($1)", [
      batch.map(({ version }) => version),
    ]);
  }
}

/** Removes received parts of stored objects: a process was killed while it checked the bytes once more. */
async function removeParts({ db, files }: Deps, keys: BytesKey[]): Promise<void> {
  const { rows } = await db.query<BytesKey>(
    `select version, bucket_id as bucket from storage.objects o where version = any ($1)
       and not exists (select from storage.uploads u where u.id = o.version and u.finished_at is null)`,
    [keys.map(({ version }) => version)],
  );
  for (const key of rows) if (await files.objects.has(key)) await files.removeParts([key]);
}
