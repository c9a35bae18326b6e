import { expect, test } from "vitest";
import { overallProgress, roundedTimeLeft, type Sample, secondsLeft, withSample } from "./upload-progress.ts";

test("the total is the sum of all files' bytes, and a stored file counts in full", () => {
  const progress = overallProgress([
    { size: 100, sent: 0, state: "stored" },
    { size: 300, sent: 150, state: "uploading" },
    { size: 100, sent: 0, state: "waiting" },
  ]);
  expect(progress).toMatchObject({ files: 3, stored: 1, sentBytes: 250, totalBytes: 500, fraction: 0.5, busy: true });
});

test("a failed file does not keep the others from being finished", () => {
  const progress = overallProgress([
    { size: 100, sent: 100, state: "stored" },
    { size: 900, sent: 10, state: "failed" },
  ]);
  expect(progress).toMatchObject({ files: 1, failed: 1, fraction: 1, busy: false });
});

test("paused files count in the sum only, and files that wait for a decision count in neither sum nor time left", () => {
  const progress = overallProgress([
    { size: 100, sent: 60, state: "uploading" },
    { size: 300, sent: 100, state: "paused" },
    { size: 500, sent: 0, state: "duplicate" },
    { size: 700, sent: 0, state: "needsFile" },
  ]);
  expect(progress).toMatchObject({
    files: 2,
    paused: 1,
    totalBytes: 400,
    sentBytes: 160,
    remainingBytes: 40,
    busy: true,
  });
  expect(overallProgress([{ size: 300, sent: 100, state: "paused" }]).busy).toBe(false);
});

test("an empty queue is complete", () => {
  expect(overallProgress([])).toMatchObject({ files: 0, fraction: 1, busy: false });
});

test("time left follows the speed of the last seconds, not of the whole upload", () => {
  let samples: Sample[] = [];
  for (let second = 0; second <= 30; second++) {
    samples = withSample(samples, {
      at: second * 1000,
      sentBytes: second <= 15 ? second * 10 : 150 + (second - 15) * 100,
    });
  }
  expect(secondsLeft(samples, 1000)).toBe(10);
});

test("no time left is shown before a speed is known", () => {
  expect(secondsLeft([], 100)).toBeUndefined();
  expect(
    secondsLeft(
      [
        { at: 0, sentBytes: 0 },
        { at: 500, sentBytes: 50 },
      ],
      100,
    ),
  ).toBeUndefined();
  expect(
    secondsLeft(
      [
        { at: 0, sentBytes: 50 },
        { at: 5000, sentBytes: 50 },
      ],
      100,
    ),
  ).toBeUndefined();
});

test("a restarted upload forgets the old speed", () => {
  const before = withSample([], { at: 0, sentBytes: 500 });
  expect(withSample(before, { at: 1000, sentBytes: 100 })).toEqual([{ at: 1000, sentBytes: 100 }]);
});

test.each([
  [1, "seconds", 5],
  [12, "seconds", 15],
  [58, "minutes", 1],
  [150, "minutes", 3],
  [4000, "hours", 1],
] as const)("%d seconds are said as %s: %d", (seconds, unit, count) => {
  expect(roundedTimeLeft(seconds)).toEqual({ unit, count });
});
