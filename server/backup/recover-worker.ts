import { parentPort, workerData } from "node:worker_threads";
import { type Recovering, recoverObject } from "./recover.ts";
import type { ScheduledBackup } from "./scheduled.ts";

// Opening an encrypted backup uses the processor for seconds, so it has its own thread. An error ends it and reaches its
// starter.
const { backup, object } = workerData as { backup: ScheduledBackup; object: Recovering };
parentPort?.postMessage({ sha256: await recoverObject(backup, object) });
