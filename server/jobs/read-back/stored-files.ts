import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { Difference, PacedReader, Reading, StoredFile } from "./paced-reader.ts";

/**
 * The columns of a {@link StoredFile}, of `storage.objects o` with {@link CHECKSUMS}. A download may have measured a file
 * that was stored before checksums were kept.
 */
export const COLUMNS = `o.id, o.bucket_id as bucket, o.version, (o.metadata ->> 'size')::float8 as size,
  coalesce(o.metadata ->> 'sha256', f.sha256, d.content_hash) as sha256`;
export const CHECKSUMS = `left join private.measured_files f on f.object_id = o.id and f.form = 'original' and f.version = o.version
  left join public.media_details d on d.media_id = o.id`;

/** Whether the object still exists with these bytes. Otherwise a reading says nothing about it. */
export async function isCurrent(db: Database, { id, version }: StoredFile): Promise<boolean> {
  const { rows } = await db.query("select from storage.objects where id = $1 and version = $2", [id, version]);
  return rows.length > 0;
}

/** Keeps the checksums of a file that was stored without, after two readings agreed. */
export async function keepChecksums(
  db: Database,
  { id, version }: StoredFile,
  { measured }: Extract<Reading, { measured: object }>,
): Promise<void> {
  await db.query(
    `update storage.objects set metadata = $3::jsonb || metadata
     where id = $1 and version = $2 and not metadata ? 'sha256'`,
    [id, version, JSON.stringify(measured)],
  );
}

/** The number of other files that are looked for before a file is judged. */
const OTHERS = 8;

/**
 * Whether the store is there, so that a difference says something about this one file. Other bytes under a name that only
 * this store can know do. Missing bytes do if the store has at least half of the other files, and an error if it returns one:
 * otherwise a disk is not mounted, a network is down, or the settings name another store.
 */
export async function isStoreAvailable(
  { db, files: { objects } }: { db: Database; files: Pick<Files, "objects"> },
  reader: PacedReader,
  { id, bucket }: StoredFile,
  difference: Difference,
): Promise<boolean> {
  if (difference === "other-bytes" || difference === "other-length") return true;
  if (!(await objects.isAvailable(bucket).catch(() => false))) return false;
  const others = (where: string, order: string) =>
    db.query<StoredFile>(
      `select ${COLUMNS} from storage.objects o ${CHECKSUMS}
       where o.id ${where} $1 and not exists (select from private.damaged_files x where x.object_id = o.id)
       order by o.id ${order} limit ${OTHERS}`,
      [id],
    );
  const [after, before] = await Promise.all([others(">", "asc"), others("<", "desc")]);
  const files = [...after.rows, ...before.rows].slice(0, OTHERS).sort((a, b) => (a.size ?? 0) - (b.size ?? 0));
  if (files.length === 0) return true;
  if (difference === "unreadable") {
    for (const file of files) if ("measured" in (await reader.read(file))) return true;
    return false;
  }
  const present = await Promise.all(files.map((file) => objects.has(file).catch(() => false)));
  return present.filter(Boolean).length * 2 >= files.length;
}
