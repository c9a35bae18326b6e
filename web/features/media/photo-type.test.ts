import { expect, test } from "vitest";
import { photoExtension, photoType } from "./photo-type.ts";

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...part].map((c) => c.charCodeAt(0)))));

test.each([
  ["a JPEG", bytes(0xff, 0xd8, 0xff, 0xe1), "image/jpeg"],
  ["a PNG", bytes(0x89, "PNG\r\n"), "image/png"],
  ["a GIF", bytes("GIF89a"), "image/gif"],
  ["a WebP", bytes("RIFF", 1, 2, 3, 4, "WEBPVP8 "), "image/webp"],
  ["an iPhone's HEIC", bytes(0, 0, 0, 0x18, "ftypheic"), "image/heic"],
  ["a HEIF", bytes(0, 0, 0, 0x18, "ftypmif1"), "image/heif"],
  ["an AVIF", bytes(0, 0, 0, 0x18, "ftypavif"), "image/avif"],
])("%s is known by its first bytes", (_what, head, type) => {
  expect(photoType(head)).toBe(type);
});

test.each([
  ["an SVG", bytes("<svg xmlns=")],
  ["an MP4 video", bytes(0, 0, 0, 0x18, "ftypisom")],
  ["an empty file", bytes()],
  ["a text", bytes("Dear Nonna, ")],
])("%s is not a photo", (_what, head) => {
  expect(photoType(head)).toBeUndefined();
});

test("a stored photo's extension follows its content, not its name", () => {
  expect(photoExtension("image/jpeg")).toBe("jpg");
  expect(photoExtension("image/heic")).toBe("heic");
});
