import { sweepJob } from "../../server/jobs/housekeeping.ts";
import { type Job, type Stop, startWorker } from "../../server/jobs/worker.ts";
import { atEnd } from "./at-end.ts";
import type { TestServer } from "./server.ts";

/** Of a worker that is never stopped. */
export const never: Stop = { requested: new AbortController().signal, overdue: new AbortController().signal };

/** Runs a job once, as a worker would. */
export async function runOnce(job: Job): Promise<void> {
  await job.prepare?.();
  await job.run(never);
}

/** Removes the bytes of what is deleted until the file ends, as the real process does. */
export function keepSweeping({ db, files }: Pick<TestServer, "db" | "files">): void {
  const worker = startWorker([sweepJob({ db, files, log: console })], { db, log: console });
  atEnd(() => worker.stop());
}
