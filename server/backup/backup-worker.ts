import { parentPort, workerData } from "node:worker_threads";
import { backupIfDue, type ScheduledBackup } from "./scheduled.ts";

// Encrypting takes the processor for minutes: a thread of its own leaves the server's to requests. An error ends it, which
// whoever started it learns of.
const { databaseUrl, ...backup } = workerData as ScheduledBackup & { databaseUrl: string };
parentPort?.postMessage(await backupIfDue(backup, databaseUrl));
