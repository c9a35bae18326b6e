import { setTimeout as sleep } from "node:timers/promises";

/** The step in milliseconds. It is longer than any work whose duration would reveal something. */
const BEAT = 250;

/** Rounds the duration of work up to a multiple of the beat, so that it reveals nothing about the result. */
export async function padDuration<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const took = performance.now() - start;
    await sleep(Math.ceil(took / BEAT) * BEAT - took);
  }
}
