import { setTimeout as delay } from "node:timers/promises";
import type { ActiveUploads } from "../files/files.ts";

const LOOK_MS = 50;
const MAX_WAIT_MS = 3000;

/**
 * For background work that should yield to active uploads, e.g. generating thumbnails. Resolves when no upload is
 * active, or after three seconds, so that continuous uploads do not block it for ever.
 */
export async function waitUntilIdle(activeUploads: Pick<ActiveUploads, "any">, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const until = performance.now() + maxWaitMs;
  while (activeUploads.any() && performance.now() < until) await delay(LOOK_MS);
}
