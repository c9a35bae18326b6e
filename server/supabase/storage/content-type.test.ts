import sharp from "sharp";
import { expect, test } from "vitest";
import { box, word } from "../../../tests/support/boxes.ts";
import { checkAllowed, contentTypeOf, textTypeOf } from "./content-type.ts";

test.each(["jpeg", "png", "webp", "gif", "avif"] as const)("a %s is recognised by its first bytes", async (format) => {
  const picture = await sharp({ create: { width: 16, height: 16, channels: 3, background: "teal" } })
    .toFormat(format)
    .toBuffer();
  expect(await contentTypeOf(picture)).toBe(`image/${format}`);
});

test.each(["isom", "mp42", "M4V ", "M4VH", "3gp4", "3g2a"])("a video of the brand %j is an MP4", async (brand) => {
  expect(await contentTypeOf(box("ftyp", brand, word(512), brand))).toBe("video/mp4");
});

test.each([
  ["hevc", "image/heic"],
  ["msf1", "image/heif"],
])("a burst of the brand %s is the picture %s", async (brand, type) => {
  expect(await contentTypeOf(box("ftyp", brand, word(0), brand))).toBe(type);
});

test("an audio file in an MP4 container is not a video", async () => {
  expect(await contentTypeOf(box("ftyp", "M4A ", word(512), "M4A "))).toBe("audio/mp4");
});

test("an HTML page is recognised by its content", async () => {
  expect(await contentTypeOf(Buffer.from("\n<!DOCTYPE html><p>hello"))).toBe("text/html");
});

test.each([
  ["<svg xmlns='x'/>", "image/svg+xml"],
  ["\ufeff  <?xml version='1.0'?><svg/>", "image/svg+xml"],
  ["<!-- a comment --><script>", "text/html"],
  ["#!/bin/sh\nrm", "application/x-sh"],
  ["just words, 1 < 2", "application/octet-stream"],
  ["", "application/octet-stream"],
])("the text %j is of the type %s", (text, type) => {
  expect(textTypeOf(Buffer.from(text))).toBe(type);
});

test("a bucket accepts its allowed types, and refuses executable types even without a list", () => {
  expect(() => checkAllowed("image/png", ["image/png"])).not.toThrow();
  expect(() => checkAllowed("image/png", ["image/*"])).not.toThrow();
  expect(() => checkAllowed("image/png", ["image/jpeg"])).toThrow("mime type image/png is not supported");
  expect(() => checkAllowed("application/pdf", null)).not.toThrow();
  expect(() => checkAllowed("image/svg+xml", ["image/*"])).toThrow("mime type image/svg+xml is not supported");
  expect(() => checkAllowed("text/html", null)).toThrow("mime type text/html is not supported");
});
