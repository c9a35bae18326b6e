import { parentPort, workerData } from "node:worker_threads";
import { backupIfDue, type ScheduledBackup } from "./scheduled.ts";

// Encryption uses the processor for minutes, so it has its own thread. An error ends it and reaches its starter.
const { databaseUrl, ...backup } = workerData as ScheduledBackup & { databaseUrl: string };
parentPort?.postMessage(await backupIfDue(backup, databaseUrl));
