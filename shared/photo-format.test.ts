import { expect, test } from "vitest";
import { photoFormat } from "./photo-format.ts";

const reader = (file: Uint8Array) => async (at: number, length: number) => file.subarray(at, at + length);
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

type Entry = readonly [tag: number, value: number | string];

/** Creates a TIFF with these entries in its first directory and in a sub-directory. */
function tiff(first: readonly Entry[], sub: readonly Entry[] = [], littleEndian = true): Uint8Array {
  const file = new Uint8Array(1024);
  const view = new DataView(file.buffer);
  file.set(latin1(littleEndian ? "II*\0" : "MM\0*"));
  view.setUint32(4, 8, littleEndian);
  const write = (at: number, entries: readonly Entry[]) => {
    view.setUint16(at, entries.length, littleEndian);
    entries.forEach(([tag, value], index) => {
      const entry = at + 2 + index * 12;
      view.setUint16(entry, tag, littleEndian);
      view.setUint16(entry + 2, typeof value === "string" ? 2 : 4, littleEndian);
      view.setUint32(entry + 4, typeof value === "string" ? value.length : 1, littleEndian);
      if (typeof value === "string") file.set(latin1(value), 800);
      view.setUint32(entry + 8, typeof value === "string" ? 800 : value, littleEndian);
    });
  };
  write(8, first);
  write(400, sub);
  return file;
}

const THUMBNAIL_OF_RAW = [[330, 400]] as const;
const SENSOR = [[262, 32_803]] as const;

test.each([
  ["CR2", latin1("II*\0\x10\0\0\0CR\x02\0")],
  ["CR3", latin1("\0\0\0\x18ftypcrx \0\0\0\x01crx isom")],
  ["RAF", latin1("FUJIFILMCCD-RAW 0201FF383501")],
  ["ORF", latin1("IIRO\x08\0\0\0")],
  ["RW2", latin1("IIU\0\x18\0\0\0")],
  ["NEF", tiff([[271, "NIKON CORPORATION\0"], ...THUMBNAIL_OF_RAW], SENSOR, false)],
  ["ARW", tiff([[271, "SONY\0"], ...THUMBNAIL_OF_RAW], [[259, 32_767]])],
  ["DNG", tiff([[50_706, 0x01040000]])],
  ["RAW", tiff([[271, "Unheard of\0"], ...THUMBNAIL_OF_RAW], SENSOR)],
])("a %s is known by its content", async (format, file) => {
  expect(await photoFormat(reader(file))).toBe(`image/x-${format.toLowerCase()}`);
});

/** A red picture of 64 × 64 pixels, encoded by libjxl, without container boxes. */
const JPEG_XL = Buffer.from(
  "/wpPQEJxIQASiAIASAFd5RIAABUqo4wbvJzr+fJDh8W0jesMbbVtAQAAADyAfyWJ" +
    "IuPYJJ3AIaTABkbGeDFeDM6L8WKwuBhjPMaM4ACgOxyfu+NQ68A44uBWEiD+ShIA",
  "base64",
);

test.each([
  ["alone", JPEG_XL],
  [
    "in boxes",
    Buffer.concat([latin1("\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl \0\0\0\x68jxlc"), JPEG_XL]),
  ],
])("a JPEG XL picture %s is known by its content", async (_how, file) => {
  expect(await photoFormat(reader(file))).toBe("image/jxl");
});

test.each([
  ["JPEG 2000", latin1("\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 "), "image/jp2"],
  ["JPEG 2000 without boxes", latin1("\xff\x4f\xff\x51\0\x2f\0\0"), "image/j2c"],
  ["Photoshop", latin1("8BPS\0\x01\0\0\0\0\0\0\0\x03"), "image/vnd.adobe.photoshop"],
  ["large Photoshop", latin1("8BPS\0\x02\0\0\0\0\0\0\0\x03"), "image/vnd.adobe.photoshop"],
  ["Windows bitmap", latin1("BM\x36\x10\x0e\0\0\0\0\0\x36\0\0\0\x28\0\0\0"), "image/bmp"],
  ["OS/2 bitmap", latin1("BM\x36\x10\x0e\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0"), "image/bmp"],
])("a %s picture is known by its content", async (_format, file, type) => {
  expect(await photoFormat(reader(file))).toBe(type);
});

test.each([
  ["a TIFF exported by a camera maker's software", tiff([[271, "NIKON CORPORATION\0"]])],
  ["a TIFF that ends early", latin1("II*\0\xff\xff\xff\x7f")],
  ["a TIFF that leads in circles", tiff([[330, 8]], [[330, 8]])],
  ["a JPEG", latin1("\xff\xd8\xff\xe0")],
  ["an empty file", new Uint8Array()],
  ["a letter", latin1("BMW is what he drove, from 1962 until 1971, every Sunday")],
])("%s is none of these formats", async (_what, file) => {
  expect(await photoFormat(reader(file))).toBeUndefined();
});
