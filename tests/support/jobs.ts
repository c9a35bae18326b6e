import { sweepJob } from "../../server/jobs/housekeeping.ts";
import { type Job, type Stop, startWorker } from "../../server/jobs/worker.ts";
import { atEnd } from "./at-end.ts";
import type { TestServer } from "./server.ts";

/** The signals of a worker that never stops. */
export const never: Stop = { requested: new AbortController().signal, overdue: new AbortController().signal };

/** Runs a job once, like a worker. */
export async function runOnce(job: Job): Promise<void> {
  await job.prepare?.();
  await job.run(never);
}

/** Removes the bytes of deleted objects until the file ends, like the real process. */
export function keepSweeping({ db, files }: Pick<TestServer, "db" | "files">): void {
  const worker = startWorker([sweepJob({ db, files, log: console })], { db, log: console });
  atEnd(() => worker.stop());
}
