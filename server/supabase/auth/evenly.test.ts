import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { evenly } from "./evenly.ts";

const beatsOf = async (work: () => Promise<unknown>) => {
  const start = performance.now();
  const outcome = await evenly(work).then(
    (value) => value,
    (error: Error) => error.message,
  );
  return { outcome, beats: Math.round((performance.now() - start) / 250) };
};

test("short work ends on the first beat, well or badly", async () => {
  expect(await beatsOf(async () => "done")).toEqual({ outcome: "done", beats: 1 });
  expect(await beatsOf(() => sleep(60, "done"))).toEqual({ outcome: "done", beats: 1 });
  expect(await beatsOf(() => Promise.reject(new Error("refused")))).toEqual({ outcome: "refused", beats: 1 });
});

test("longer work ends on a later beat", async () => {
  expect(await beatsOf(() => sleep(300, "done"))).toEqual({ outcome: "done", beats: 2 });
});
