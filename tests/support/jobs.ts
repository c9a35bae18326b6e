import { sweepJob } from "../../server/jobs/housekeeping.ts";
import { type Job, type Stop, startWorker } from "../../server/jobs/worker.ts";
import { removeDiscarded } from "../../server/supabase/storage/remove-bytes.ts";
import { atEnd } from "./at-end.ts";
import type { TestServer } from "./server.ts";

/** The signals of a worker that never stops. */
export const never: Stop = { requested: new AbortController().signal, overdue: new AbortController().signal };

/** Runs a job once, like a worker. */
export async function runOnce(job: Job): Promise<void> {
  await job.prepare?.();
  await job.run(never);
}

/** A day and a moment, in ms: the age at which bytes that nothing names are removed. */
export const DAY_MS = 86_401_000;

/** Removes the bytes of deleted objects until the file ends, like the real process, but without waiting for a day. */
export function keepSweeping({ db, files }: Pick<TestServer, "db" | "files">): void {
  const job = sweepJob({ db, files, log: console });
  const run = async () => {
    await removeDiscarded({ db, files }, Date.now() + DAY_MS);
    return undefined;
  };
  const worker = startWorker([{ ...job, run }], { db, log: console });
  atEnd(() => worker.stop());
}
