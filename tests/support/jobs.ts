import type { Job, Stop } from "../../server/jobs/worker.ts";

/** Of a worker that is never stopped. */
export const never: Stop = { requested: new AbortController().signal, overdue: new AbortController().signal };

/** Runs a job once, as a worker would. */
export async function runOnce(job: Job): Promise<void> {
  await job.prepare?.();
  await job.run(never);
}
