import { once } from "node:events";
import { startThread } from "../threads/start-thread.ts";
import type { ScheduledBackup, ScheduledResult } from "./scheduled.ts";

/** Makes a backup, if one is due, in a worker thread; undefined if `stop` ended it first. */
export async function backupInThread(
  backup: ScheduledBackup,
  databaseUrl: string,
  stop: AbortSignal,
): Promise<ScheduledResult | undefined> {
  const thread = startThread("backup-worker", import.meta.url, { workerData: { ...backup, databaseUrl } });
  // The next backup removes or reuses unfinished files.
  const end = () => void thread.terminate();
  stop.addEventListener("abort", end);
  try {
    const [result] = (await Promise.race([
      // Rejects when the thread ends with an error.
      once(thread, "message"),
      once(thread, "exit").then(() => []),
    ])) as [ScheduledResult?];
    return result;
  } finally {
    stop.removeEventListener("abort", end);
    await thread.terminate();
  }
}
