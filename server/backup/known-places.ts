import { resolve } from "node:path";
import type { CopyConnection } from "../database/copy-rows.ts";

type Asking = Pick<CopyConnection, "query">;

/**
 * Codes of PostgreSQL: for a write to a database that was made read-only because its installation has moved, and for a table
 * that the database of an earlier version lacks.
 */
const UNAVAILABLE = ["25006", "42P01"];

/** The name of a place of backups in the database: an absolute folder, or the address of a bucket. */
export const placeKey = (title: string): string =>
  title.startsWith("s3://") ? title.replace(/\/+$/, "") : resolve(title);

/** When the newest backup was begun that this place had; undefined if it never had one. From now on the place is known. */
export async function newestKnown(connection: Asking, title: string): Promise<Date | undefined> {
  const key = placeKey(title);
  await unlessUnavailable(
    connection.query("insert into private.backup_places (place) values ($1) on conflict do nothing", [key]),
  );
  const [row] = await connection.query<{ newest: Date | null }>(
    "select newest_at as newest from private.backup_places where place = $1",
    [key],
  );
  return row?.newest ?? undefined;
}

/** Stores when the newest backup of a place was begun. */
export async function noteNewest(connection: Asking, title: string, begunAt: Date): Promise<void> {
  await unlessUnavailable(
    connection.query(
      `insert into private.backup_places (place, newest_at) values ($1, $2)
       on conflict (place) do update set newest_at = excluded.newest_at`,
      [placeKey(title), begunAt],
    ),
  );
}

const unlessUnavailable = (writing: Promise<unknown>) =>
  writing.catch((error: { code?: string }) => {
    if (!UNAVAILABLE.includes(error.code ?? "")) throw error;
  });
