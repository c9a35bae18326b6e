import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkAllowed, contentTypeOf, textTypeOf } from "./content-type.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-types-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(["jpeg", "png", "webp", "gif", "avif"] as const)(
  "a %s is known by its content, whatever its name",
  async (format) => {
    const path = join(folder, `${format}.txt`);
    await sharp({ create: { width: 16, height: 16, channels: 3, background: "teal" } })
      .toFormat(format)
      .toFile(path);
    expect(await contentTypeOf(path)).toBe(`image/${format}`);
  },
);

test("a page under a photo's name is still a page", async () => {
  const path = join(folder, "photo.jpg");
  await writeFile(path, "\n<!DOCTYPE html><p>hello");
  expect(await contentTypeOf(path)).toBe("text/html");
});

test.each([
  ["<svg xmlns='x'/>", "image/svg+xml"],
  ["\ufeff  <?xml version='1.0'?><svg/>", "image/svg+xml"],
  ["<!-- a comment --><script>", "text/html"],
  ["#!/bin/sh\nrm", "application/x-sh"],
  ["just words, 1 < 2", "application/octet-stream"],
  ["", "application/octet-stream"],
])("%j", (text, type) => {
  expect(textTypeOf(Buffer.from(text))).toBe(type);
});

test("a bucket takes what it names, and nothing that runs even when it names no types", () => {
  expect(() => checkAllowed("image/png", ["image/png"])).not.toThrow();
  expect(() => checkAllowed("image/png", ["image/*"])).not.toThrow();
  expect(() => checkAllowed("image/png", ["image/jpeg"])).toThrow("mime type image/png is not supported");
  expect(() => checkAllowed("application/pdf", null)).not.toThrow();
  expect(() => checkAllowed("image/svg+xml", ["image/*"])).toThrow("mime type image/svg+xml is not supported");
  expect(() => checkAllowed("text/html", null)).toThrow("mime type text/html is not supported");
});
