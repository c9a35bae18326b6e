import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** A share of its time; above it, this thread has no time for what nobody waits for. */
const BUSY = 0.8;
const LOOK_MS = 100;

/**
 * For work that can wait, as making photos ready while others still arrive: resolves once this thread has time to spare,
 * or after `patience` milliseconds, so that even a server that is never idle gets on with it.
 */
export function calmness(patience = 3000): () => Promise<void> {
  let last = performance.eventLoopUtilization();
  let lookedAt = performance.now();
  let busy = false;
  const look = () => {
    // Over a shorter time a single request would look like a crowd.
    if (performance.now() - lookedAt >= LOOK_MS) {
      const now = performance.eventLoopUtilization();
      busy = performance.eventLoopUtilization(now, last).utilization > BUSY;
      last = now;
      lookedAt = performance.now();
    }
    return busy;
  };
  return async () => {
    const until = performance.now() + patience;
    while (look() && performance.now() < until) await delay(LOOK_MS);
  };
}
