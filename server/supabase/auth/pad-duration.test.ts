import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { padDuration } from "./pad-duration.ts";

const beatsOf = async (work: () => Promise<unknown>) => {
  const start = performance.now();
  const outcome = await padDuration(work).then(
    (value) => value,
    (error: Error) => error.message,
  );
  return { outcome, beats: Math.round((performance.now() - start) / 250) };
};

// Load on the machine may add a beat, so the assertion polls. Only padding makes the durations equal.
const expectBeats = (work: () => Promise<unknown>, outcome: string, beats: number) =>
  expect.poll(() => beatsOf(work)).toEqual({ outcome, beats });

test("short work ends on the first beat, whether it succeeds or fails", async () => {
  await expectBeats(async () => "done", "done", 1);
  await expectBeats(() => sleep(60, "done"), "done", 1);
  await expectBeats(() => Promise.reject(new Error("refused")), "refused", 1);
});

test("longer work ends on a later beat", async () => {
  await expectBeats(() => sleep(300, "done"), "done", 2);
});
