import type { Database } from "../database/database.ts";

/** The jobs that prepare a file. */
export type FileJob = "photos" | "covers" | "video-streams" | "video-copies" | "motions";

/** A job that fails in the same way so often, or in any way so often, gives the file up. */
const MAX_SAME = 3;
const MAX_FAILURES = 9;
/** The pauses in seconds before the next attempts; the last one repeats. */
const PAUSES = [10, 60, 300];
/** Failures of the machine, for example a full disk, would affect every file, so they are retried for days. */
const OUTAGE_PAUSES = [300, 900, 3600];
const OUTAGE_HOURS = 72;
const LONGEST_REASON = 500;

/** Codes of the system, of the network and of the database (its classes 08, 53, 57 and 58) that say nothing about a file. */
const OUTAGE =
  /^(ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EIO|EROFS|EACCES|EPERM|EAGAIN|ECONN\w+|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ENET\w+|EHOST\w+|08\w{3}|53\w{3}|57\w{3}|58\w{3}|40\w{3})$/;

const isOutage = (error: unknown): boolean =>
  error instanceof Error &&
  ((typeof (error as { code?: unknown }).code === "string" && OUTAGE.test((error as { code?: string }).code ?? "")) ||
    /No space left/i.test(error.message) ||
    isOutage(error.cause));

/** The error in one line, without the paths of this machine. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const line = text.replace(/(file:)?(\/[\w.@-]+){2,}/g, "…").replace(/\s+/g, " ");
  // PostgreSQL stores no zero characters.
  return line.replaceAll("\0", "").trim().slice(0, LONGEST_REASON) || "An error without a message";
}

/** The same failure has the same signature, although its message names another position, id or address. */
const FIGURES = "'[0-9a-fA-F]{4,}(-[0-9a-fA-F]+)*|[0-9]+', '#', 'g'";
const SAME_WAY = `regexp_replace(f.reason, ${FIGURES}) = regexp_replace(excluded.reason, ${FIGURES})`;

/**
 * Counts a failure of a job for a file. Resolves to the seconds until the next attempt, or to undefined if the job must
 * give the file up: if another attempt would fail too (`isFinal`), or after three failures in the same way.
 */
export async function countFailure(
  db: Database,
  { job, id, error, isFinal = false }: { job: FileJob; id: string; error: unknown; isFinal?: boolean },
): Promise<number | undefined> {
  const outage = isOutage(error);
  const { rows } = await db.query<{ failures: number; is_given_up: boolean }>(
    `insert into private.file_failures as f (object_id, job, reason, given_up_at)
     select o.id, $2, $3, case when $4 then now() end from storage.objects o where o.id = $1
     on conflict (object_id, job) do update set
       same = case when ${SAME_WAY} then f.same + 1 else 1 end,
       reason = excluded.reason, failures = f.failures + 1, failed_at = now(),
       given_up_at = case
         when $4 then now()
         when $5 then case when f.first_failed_at < now() - make_interval(hours => $6) then now() end
         when f.failures + 1 >= $7 then now()
         when ${SAME_WAY} and f.same + 1 >= $8 then now()
       end
     returning failures, given_up_at is not null as is_given_up`,
    [id, job, reasonOf(error), isFinal, outage, OUTAGE_HOURS, MAX_FAILURES, MAX_SAME],
  );
  // The file was deleted, so another attempt finds nothing.
  if (!rows[0] || rows[0].is_given_up) return undefined;
  const pauses = outage ? OUTAGE_PAUSES : PAUSES;
  return pauses[Math.min(rows[0].failures, pauses.length) - 1];
}

/** Forgets the failures of a job for a file, after it succeeded. */
export async function forgetFailures(db: Database, job: FileJob, id: string): Promise<void> {
  await db.query("delete from private.file_failures where object_id = $1 and job = $2", [id, job]);
}

/** The reason of a file that was given up because its process ended during the work. */
export const CRASHED = new Error("The process ended several times during this work");
