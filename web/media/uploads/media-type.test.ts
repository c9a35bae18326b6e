import { expect, test } from "vitest";
import { MEDIA_EXTENSIONS } from "../../../shared/media-types.ts";
import { RAW_FORMATS } from "../../../shared/photo-format.ts";
import { textsIn } from "../../../tests/support/texts.ts";
import { maxBytesOf, mediaExtension, mediaType } from "./media-type.ts";

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...part].map((c) => c.charCodeAt(0)))));

const ebml = (name: string) => bytes(0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84, name);

const transport = (before: number) => {
  const head = new Uint8Array(256);
  head[before] = 0x47;
  head[before + 188 + before] = 0x47;
  return head;
};

test.each([
  ["a JPEG", bytes(0xff, 0xd8, 0xff, 0xe1), "image/jpeg"],
  ["a PNG", bytes(0x89, "PNG\r\n"), "image/png"],
  ["a GIF", bytes("GIF89a"), "image/gif"],
  ["a scanner's TIFF", bytes("II*", 0), "image/tiff"],
  ["a TIFF of the other byte order", bytes("MM", 0, "*"), "image/tiff"],
  ["a WebP", bytes("RIFF", 1, 2, 3, 4, "WEBPVP8 "), "image/webp"],
  ["an iPhone's HEIC", bytes(0, 0, 0, 0x18, "ftypheic"), "image/heic"],
  ["a HEIF", bytes(0, 0, 0, 0x18, "ftypmif1"), "image/heif"],
  ["an AVIF", bytes(0, 0, 0, 0x18, "ftypavif"), "image/avif"],
  ["an MP4", bytes(0, 0, 0, 0x18, "ftypisom"), "video/mp4"],
  ["an Android phone's MP4", bytes(0, 0, 0, 0x18, "ftypmp42"), "video/mp4"],
  ["an Apple device's M4V", bytes(0, 0, 0, 0x18, "ftypM4V "), "video/mp4"],
  ["an old telephone's 3GP", bytes(0, 0, 0, 0x18, "ftyp3gp4"), "video/mp4"],
  ["another one's 3G2", bytes(0, 0, 0, 0x18, "ftyp3g2a"), "video/mp4"],
  ["an iPhone's MOV", bytes(0, 0, 0, 0x14, "ftypqt  "), "video/quicktime"],
  ["an old camera's MOV", bytes(0, 0, 0, 8, "wide"), "video/quicktime"],
  ["a WebM", ebml("webm"), "video/webm"],
  ["a Matroska video", ebml("matroska"), "video/matroska"],
  ["an old camera's AVI", bytes("RIFF", 1, 2, 3, 4, "AVI LIST"), "video/vnd.avi"],
  ["a camcorder's MTS", transport(4), "video/mp2t"],
  ["a television's TS", transport(0), "video/mp2t"],
  ["a DVD camcorder's MPG", bytes(0, 0, 1, 0xba, 0x44), "video/mpeg"],
  ["a WMV", bytes(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11), "video/x-ms-asf"],
  ["a European camcorder's DV", bytes(0x1f, 0x07, 0, 0xbf), "video/dv"],
  ["an American camcorder's DV", bytes(0x1f, 0x07, 0, 0x3f), "video/dv"],
])("%s is known by its first bytes", (_what, head, type) => {
  expect(mediaType(head)).toBe(type);
});

test.each([
  ["an SVG", bytes("<svg xmlns=")],
  ["a song", bytes(0, 0, 0, 0x18, "ftypM4A ")],
  ["a program", bytes("MZ", 0x90, 0)],
  ["an empty file", bytes()],
  ["a text", bytes("Dear Nonna, ")],
])("%s is neither photo nor video", (_what, head) => {
  expect(mediaType(head)).toBeUndefined();
});

test("a stored file's extension and largest size follow its content, not its name", () => {
  expect(mediaExtension("image/jpeg")).toBe("jpg");
  expect(mediaExtension("video/quicktime")).toBe("mov");
  expect(maxBytesOf("image/heic")).toBe(50 * 1024 * 1024);
  expect(maxBytesOf("video/mp4")).toBe(2 * 1024 ** 3);
});

test("the texts about uploads name every format that is accepted, in both languages", () => {
  /** Formats that people know by another name than their file extension. */
  const names: Record<string, string> = {
    jpg: "JPEG",
    tif: "TIFF",
    mpg: "MPEG",
    heif: "HEIC",
    webp: "WebP",
    webm: "WebM",
    jxl: "JPEG XL",
    jp2: "JPEG 2000",
    j2k: "JPEG 2000",
    ...Object.fromEntries(RAW_FORMATS.map((format) => [format.toLowerCase(), "RAW"])),
  };
  for (const say of [textsIn("en"), textsIn("it")]) {
    for (const [type, extension] of Object.entries(MEDIA_EXTENSIONS)) {
      const name = new RegExp(`\\b${names[extension] ?? extension.toUpperCase()}\\b`);
      expect(say("media:dropHint")).toMatch(name);
      if (type.startsWith("image/")) expect(say("home:questions.photos.answer")).toMatch(name);
    }
  }
});
