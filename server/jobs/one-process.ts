import type { Database } from "../database/database.ts";
import { CLAIM_SECONDS, renewing } from "./claims.ts";
import type { Job } from "./worker.ts";

/** The pause after a finished run: a share of the job's interval, and its maximum in seconds. */
const REST_SHARE = 0.9;
const REST_SECONDS = 3600;

/** Wraps a job so that only one process of a database runs it at a time, and not again for most of its interval. */
export function oneProcess(db: Pick<Database, "query">, job: Job): Job {
  const holdFor = (seconds: number) =>
    db.query("update private.job_leases set until = now() + make_interval(secs => $2) where job = $1", [
      job.name,
      seconds,
    ]);
  return {
    ...job,
    async run(stop) {
      const { rows } = await db.query<{ taken: boolean; wait: number }>(
        `with taken as (
           insert into private.job_leases as l (job, until) values ($1, now() + make_interval(secs => $2))
           on conflict (job) do update set until = excluded.until where l.until <= now() returning job
         )
         select exists (select from taken) as taken,
           coalesce((select extract(epoch from until - now())::float8 * 1000 from private.job_leases where job = $1), 0) as wait`,
        [job.name, CLAIM_SECONDS],
      );
      if (!rows[0]?.taken) return rows[0]?.wait;
      try {
        const hold = () => holdFor(CLAIM_SECONDS).then(() => true);
        const next = await renewing(hold, () => job.run(stop));
        const interval = typeof job.interval === "number" ? job.interval : job.interval();
        // An aborted job may start again in any process.
        await holdFor(stop.requested.aborted ? 0 : Math.min((interval / 1000) * REST_SHARE, REST_SECONDS));
        return next;
      } catch (error) {
        await holdFor(0);
        throw error;
      }
    },
  };
}
