import { setTimeout as sleep } from "node:timers/promises";

/** In milliseconds: longer than any of the work whose length would tell something. */
const BEAT = 250;

/**
 * Does the work and ends, well or badly, on a beat: how long it took then tells nothing of what it found. Work that
 * takes longer ends on a later beat.
 */
export async function padDuration<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const took = performance.now() - start;
    await sleep(Math.ceil(took / BEAT) * BEAT - took);
  }
}
