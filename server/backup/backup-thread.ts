import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startThread } from "../threads/start-thread.ts";
import type { Recovered, Recovering } from "./recover.ts";
import type { ScheduledBackup, ScheduledResult } from "./scheduled.ts";

/** Makes a backup, if one is due, in a worker thread; undefined if `stop` ended it first. */
export async function backupInThread(
  backup: ScheduledBackup,
  databaseUrl: string,
  stop: AbortSignal,
): Promise<ScheduledResult | undefined> {
  return resultOf(startThread("backup-worker", import.meta.url, { workerData: { ...backup, databaseUrl } }), stop);
}

/** Copies an object's bytes from the backups in a worker thread, as `recoverObject`. Rejects if `stop` ended it. */
export async function recoverInThread(
  backup: ScheduledBackup,
  object: Recovering,
  stop: AbortSignal,
): Promise<Recovered> {
  const thread = startThread("recover-worker", import.meta.url, { workerData: { backup, object } });
  const result = await resultOf<{ sha256: Recovered }>(thread, stop);
  if (!result) throw new Error("The thread that reads backups ended");
  return result.sha256;
}

/** The message of a thread, which is ended then; undefined if `stop` ended it first. Rejects with its error. */
async function resultOf<Result>(thread: Worker, stop: AbortSignal): Promise<Result | undefined> {
  // The next backup removes or reuses unfinished files.
  const end = () => void thread.terminate();
  stop.addEventListener("abort", end);
  try {
    const [result] = (await Promise.race([
      // Rejects when the thread ends with an error.
      once(thread, "message"),
      once(thread, "exit").then(() => []),
    ])) as [Result?];
    return result;
  } finally {
    stop.removeEventListener("abort", end);
    await thread.terminate();
  }
}
