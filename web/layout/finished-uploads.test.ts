import { expect, test } from "vitest";
import { finishedUploads } from "./finished-uploads.ts";

const upload = (memoryId: string, state: "waiting" | "uploading" | "stored" | "failed") => ({ memoryId, state });

test("a memory has finished when the last of its uploads has, with as many as are stored", () => {
  const before = [upload("a", "stored"), upload("a", "uploading"), upload("a", "failed")];
  expect(finishedUploads(before, [upload("a", "stored"), upload("a", "stored"), upload("a", "failed")])).toEqual([
    { memoryId: "a", stored: 2 },
  ]);
});

test("nothing has finished while one still waits, or where nothing was under way", () => {
  expect(
    finishedUploads(
      [upload("a", "uploading"), upload("a", "waiting")],
      [upload("a", "stored"), upload("a", "waiting")],
    ),
  ).toEqual([]);
  expect(finishedUploads([upload("a", "stored")], [upload("a", "stored")])).toEqual([]);
});

test("memories finish each by itself", () => {
  const before = [upload("a", "uploading"), upload("b", "uploading")];
  expect(finishedUploads(before, [upload("a", "stored"), upload("b", "uploading")])).toEqual([
    { memoryId: "a", stored: 1 },
  ]);
});

test("uploads that were taken away or have failed are no good news", () => {
  expect(finishedUploads([upload("a", "uploading")], [])).toEqual([]);
  expect(finishedUploads([upload("a", "uploading")], [upload("a", "failed")])).toEqual([]);
});
