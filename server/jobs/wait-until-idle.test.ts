import { expect, test } from "vitest";
import { countActiveUploads } from "../files/files.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

test("background work waits for the last active upload, whether it succeeds or fails", async () => {
  const activeUploads = countActiveUploads();
  const uploads: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const upload = () => new Promise<void>((resolve, reject) => uploads.push({ resolve, reject }));
  const arriving = [1, 2].map(() => activeUploads.during(upload).catch(() => {}));
  let calmed = false;
  const waiting = waitUntilIdle(activeUploads, 60_000).then(() => {
    calmed = true;
  });
  uploads[0]?.resolve();
  await arriving[0];
  expect([activeUploads.any(), calmed]).toEqual([true, false]);
  uploads[1]?.reject(new Error("broken off"));
  await Promise.all([...arriving, waiting]);
  expect([activeUploads.any(), calmed]).toEqual([false, true]);
});

test("background work has a maximum wait", async () => {
  await expect(waitUntilIdle({ any: () => true }, 1)).resolves.toBeUndefined();
});
