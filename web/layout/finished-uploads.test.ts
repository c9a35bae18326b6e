import { expect, test } from "vitest";
import { finishedUploads, newlyRefused } from "./finished-uploads.ts";

const upload = (memoryId: string, state: "waiting" | "uploading" | "stored" | "failed") => ({ memoryId, state });

test("a memory has finished with its last upload, and counts the stored files", () => {
  const before = [upload("a", "stored"), upload("a", "uploading"), upload("a", "failed")];
  expect(finishedUploads(before, [upload("a", "stored"), upload("a", "stored"), upload("a", "failed")])).toEqual([
    { memoryId: "a", stored: 2 },
  ]);
});

test("no memory has finished while a file waits, or if there was no upload", () => {
  expect(
    finishedUploads(
      [upload("a", "uploading"), upload("a", "waiting")],
      [upload("a", "stored"), upload("a", "waiting")],
    ),
  ).toEqual([]);
  expect(finishedUploads([upload("a", "stored")], [upload("a", "stored")])).toEqual([]);
});

test("each memory finishes separately", () => {
  const before = [upload("a", "uploading"), upload("b", "uploading")];
  expect(finishedUploads(before, [upload("a", "stored"), upload("b", "uploading")])).toEqual([
    { memoryId: "a", stored: 1 },
  ]);
});

test("cancelled and failed uploads are not reported as finished", () => {
  expect(finishedUploads([upload("a", "uploading")], [])).toEqual([]);
  expect(finishedUploads([upload("a", "uploading")], [upload("a", "failed")])).toEqual([]);
});

test("a file is refused once, and only for its kind or size", () => {
  const file = (id: string, problem?: "type" | "size" | "network" | "full") => ({
    id,
    state: problem ? ("failed" as const) : ("checking" as const),
    problem,
  });
  const before = [file("old", "type"), file("kind"), file("size"), file("full"), file("line")];
  const after = [file("old", "type"), file("kind", "type"), file("size", "size"), file("full", "full"), file("line")];
  expect(newlyRefused(before, after).map(({ id }) => id)).toEqual(["kind", "size"]);
  expect(newlyRefused(after, after)).toEqual([]);
});
