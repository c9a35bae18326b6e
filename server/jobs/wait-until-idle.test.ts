import { expect, test } from "vitest";
import { countArrivals } from "../supabase/storage/arrivals.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

test("what can wait waits for the last upload that is coming in, whether it succeeds or fails", async () => {
  const arrivals = countArrivals();
  const uploads: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const upload = () => new Promise<void>((resolve, reject) => uploads.push({ resolve, reject }));
  const arriving = [1, 2].map(() => arrivals.during(upload).catch(() => {}));
  let calmed = false;
  const waiting = waitUntilIdle(arrivals, 60_000).then(() => {
    calmed = true;
  });
  uploads[0]?.resolve();
  await arriving[0];
  expect([arrivals.any(), calmed]).toEqual([true, false]);
  uploads[1]?.reject(new Error("broken off"));
  await Promise.all([...arriving, waiting]);
  expect([arrivals.any(), calmed]).toEqual([false, true]);
});

test("it does not wait for ever", async () => {
  await expect(waitUntilIdle({ any: () => true }, 1)).resolves.toBeUndefined();
});
