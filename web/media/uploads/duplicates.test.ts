import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { findDuplicates } from "./duplicates.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hash = async (file: Blob) => sha256(await file.text());
const file = (id: string, text: string, name = `${id}.jpg`) => ({
  id,
  name,
  size: text.length,
  bytes: new Blob([text]),
});
const stored = (id: string, text: string, isHashed = true) => ({
  id,
  name: `${id}.jpg`,
  size: text.length,
  hash: isHashed ? sha256(text) : null,
});

test("a file with the same bytes as a stored one is a duplicate, under any name", async () => {
  const candidates = [file("new", "sea", "IMG_7.jpg"), file("other", "sun")];
  expect(await findDuplicates({ candidates, queued: [], stored: [stored("old", "sea")] }, hash)).toEqual(
    new Set(["new"]),
  );
});

test("an equal file in the same batch, or already uploading, is a duplicate", async () => {
  const candidates = [file("a", "sea"), file("copy", "sea"), file("b", "sky")];
  expect(await findDuplicates({ candidates, queued: [file("q", "sky")], stored: [] }, hash)).toEqual(
    new Set(["copy", "b"]),
  );
});

test("files of different sizes are not read", async () => {
  const reading = vi.fn(hash);
  const candidates = [file("a", "sea"), file("b", "cloud")];
  expect(
    await findDuplicates({ candidates, queued: [file("q", "wind")], stored: [stored("s", "mountain")] }, reading),
  ).toEqual(new Set());
  expect(reading).not.toHaveBeenCalled();
});

test("a file stored without a hash is recognised by size and name", async () => {
  const candidates = [file("new", "sea", "old.jpg"), file("x", "sun", "x.jpg")];
  expect(await findDuplicates({ candidates, queued: [], stored: [stored("old", "sea", false)] }, hash)).toEqual(
    new Set(["new"]),
  );
});

test("a file that was stored under its own id, as before a reload, is no duplicate of itself", async () => {
  expect(
    await findDuplicates({ candidates: [file("a", "sea")], queued: [], stored: [stored("a", "sea")] }, hash),
  ).toEqual(new Set());
});

test("a file that cannot be read is not a duplicate", async () => {
  const candidates = [file("a", "sea"), file("b", "sea")];
  expect(await findDuplicates({ candidates, queued: [], stored: [] }, async () => undefined)).toEqual(new Set());
});
