import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EncodedPicture, encodedPicture } from "../../../tests/support/encoded-pictures.ts";
import { cr3, type RawOptions, raf, tiffRaw } from "../../../tests/support/raw-photos.ts";
import { photoDates } from "../../jobs/photo-date.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import type { Copy } from "./copies.ts";
import { measure, UnreadablePictureError } from "./pictures.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

let folder: string;
let renditions: Renditions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-formats-"));
  const store: Pick<ObjectStore, "source"> = { source: async ({ version }) => join(folder, version) };
  renditions = openRenditions(folderCopies(join(folder, "renditions")), store as ObjectStore);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const GALLERY: Copy[] = [
  { size: 320, format: "avif" },
  { size: 960, format: "webp" },
];

async function stored(bytes: Buffer) {
  const version = randomUUID();
  await writeFile(join(folder, version), bytes);
  return { bucket: "b", version };
}

/** Prepares a picture; its size, the colours of its left upper and right lower corner, and its dates. */
async function renditionOf(bytes: Buffer) {
  const key = await stored(bytes);
  const { width, height, damaged } = await renditions.prepare(key, GALLERY);
  const path = join(folder, key.version);
  const size = await measure(path);
  const [small, full] = await Promise.all(
    [(await renditions.file(key, 320, "avif")).path, (await renditions.file(key, "full")).path].map(corners),
  );
  return { width, height, damaged, size, small, full, dates: await photoDates(path) };
}

async function corners(path: string): Promise<number[]> {
  const { data, info } = await sharp(path)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  return [...at(5, 5), ...at(info.width - 6, info.height - 6)];
}

const ORANGE_BLUE = [200, 100, 30, 30, 60, 200];
const BLUE_ORANGE = [30, 60, 200, 200, 100, 30];

function expectColours(actual: number[] | undefined, expected: number[], tolerance = 12) {
  const differences = expected.map((value, index) => Math.abs(value - (actual?.[index] ?? 999)));
  expect(Math.max(...differences), `${actual}`).toBeLessThan(tolerance);
}

test.each<[string, EncodedPicture, number?]>([
  ["a JPEG XL that loses nothing", "losslessJxl"],
  ["a JPEG XL", "lossyJxl"],
  ["a JPEG XL made of a JPEG", "jxlOfJpeg"],
  ["a JPEG XL with the colours of a phone", "wideGamutJxl"],
  ["a JPEG XL of 16 bits", "deepJxl"],
  ["a JPEG 2000", "jp2"],
  ["a JPEG 2000 without boxes", "j2k"],
  ["a JPEG 2000 that was reduced", "lossyJp2"],
  ["a JPEG 2000 of 16 bits", "deepJp2"],
  ["a BMP", "bmp24"],
  ["a BMP with a palette", "bmpPalette"],
  ["a BMP with runs", "bmpRuns"],
  ["a BMP of OS/2", "bmpOs2"],
  ["a BMP of 16 bits", "bmp565"],
  ["a BMP with alpha", "bmpAlpha"],
  ["a Photoshop file", "psd"],
  ["an uncompressed Photoshop file", "psdPlain"],
  // CMYK has a smaller range of colours.
  ["a Photoshop file for a printer", "psdCmyk", 80],
  ["a Photoshop file of 16 bits", "psdDeep"],
  ["a Photoshop file with layers", "psdLayers"],
  ["a Photoshop file with a palette", "psdIndexed"],
  ["a Photoshop file with alpha", "psdAlpha"],
  ["a large Photoshop file", "psb"],
  ["a TIFF with layers", "tiffLayers"],
])("%s is shown in its colours", async (_what, name, tolerance) => {
  const picture = await renditionOf(encodedPicture(name));
  expect(picture).toMatchObject({ width: 120, height: 80, damaged: false, size: { width: 120, height: 80 } });
  expectColours(picture.small, ORANGE_BLUE, tolerance);
  expectColours(picture.full, ORANGE_BLUE, tolerance);
});

test("a JPEG XL is shown upright", async () => {
  const picture = await renditionOf(encodedPicture("turnedJxl"));
  expect(picture).toMatchObject({ width: 80, height: 120, size: { width: 80, height: 120 } });
  expectColours(picture.full, ORANGE_BLUE);
});

test.each<EncodedPicture>(["jxlOfJpeg", "jp2", "psd"])("%s is dated by its EXIF", async (name) => {
  const { dates } = await renditionOf(encodedPicture(name));
  expect(dates[0]).toEqual({ kind: "taken", source: "exif", at: "1999-07-14T16:05:09", local: true });
});

const CAMERAS: [string, RawOptions][] = [
  ["a Nikon's NEF", { make: "NIKON CORPORATION" }],
  ["a Sony's ARW", { make: "SONY" }],
  ["a Canon's CR2", { make: "Canon", signature: "II*\0\x10\0\0\0CR\x02\0" }],
  ["an Olympus's ORF", { make: "OLYMPUS IMAGING CORP.", signature: "IIRO" }],
  ["a Panasonic's RW2", { make: "Panasonic", signature: "IIU\0" }],
  ["a DNG", { make: "Google", dng: true }],
  ["a Pentax's PEF", { make: "PENTAX" }],
  ["an unknown maker's raw photo", { make: "Unheard of" }],
];

test.each(CAMERAS)("%s is shown by its largest preview, upright and dated", async (_what, options) => {
  for (const [orientation, width, colours] of [
    [1, 600, ORANGE_BLUE],
    [3, 600, BLUE_ORANGE],
    [6, 400, ORANGE_BLUE],
    [8, 400, BLUE_ORANGE],
  ] as const) {
    const picture = await renditionOf(await tiffRaw({ ...options, orientation }));
    expect(picture, `orientation ${orientation}`).toMatchObject({ width, height: 1000 - width, damaged: false });
    expect(picture.size).toEqual({ width, height: 1000 - width });
    expectColours(picture.full, colours);
    expect(picture.dates[0]).toMatchObject({ kind: "taken", source: "exif", at: "2012-07-14T16:05:09" });
  }
});

test.each([
  ["a Canon's CR3", cr3],
  ["a Fujifilm's RAF", raf],
])("%s is shown by its preview, upright and dated", async (_what, make) => {
  const picture = await renditionOf(await make(6));
  expect(picture).toMatchObject({ width: 400, height: 600, size: { width: 400, height: 600 } });
  expectColours(picture.full, ORANGE_BLUE);
  expect(picture.dates[0]).toMatchObject({ kind: "taken", source: "exif", at: "2012-07-14T16:05:09" });
});

test("a preview that its phone has turned already is not turned twice", async () => {
  const picture = await renditionOf(await tiffRaw({ make: "Google", dng: true, orientation: 6, isUpright: true }));
  expect(picture).toMatchObject({ width: 400, height: 600 });
  expectColours(picture.full, ORANGE_BLUE);
});

test("directories of a raw photo that lead in circles end", async () => {
  expect(await renditionOf(await tiffRaw({ dng: true, circular: true }))).toMatchObject({ width: 600, height: 400 });
});

/** Replaces bytes, e.g. of a header. */
const patched = (bytes: Buffer, at: number, ...values: number[]) => {
  const copy = Buffer.from(bytes);
  for (const [index, value] of values.entries()) copy[at + index] = value;
  return copy;
};
const cut = (name: EncodedPicture, part: number) => {
  const bytes = encodedPicture(name);
  return bytes.subarray(0, bytes.length * part);
};

test.each<[string, () => Buffer]>([
  ["a JPEG XL of a billion pixels", () => Buffer.from(`ff0afcfffffff8ffffff${"00".repeat(40)}`, "hex")],
  ["half a JPEG XL of a JPEG", () => cut("jxlOfJpeg", 0.5)],
  ["a JPEG XL of noise", () => Buffer.concat([encodedPicture("lossyJxl").subarray(0, 12), Buffer.alloc(500, 0x5c)])],
  ["a JPEG 2000 of four billion pixels", () => patched(encodedPicture("j2k"), 8, 0, 1, 0, 0, 0, 1, 0, 0)],
  ["the beginning of a JPEG 2000", () => encodedPicture("jp2").subarray(0, 120)],
  ["a BMP of four billion pixels", () => patched(encodedPicture("bmp24"), 18, 0, 0, 1, 0, 0, 0, 1, 0)],
  ["a BMP with an unknown compression", () => patched(encodedPicture("bmp24"), 30, 77)],
  ["a BMP of a header alone", () => encodedPicture("bmp24").subarray(0, 20)],
  [
    "a Photoshop file of 900 million pixels",
    () => patched(encodedPicture("psdPlain"), 14, 0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30),
  ],
  ["a Photoshop file in a mode that does not exist", () => patched(encodedPicture("psd"), 24, 0, 6)],
  ["a Photoshop file that ends in its header", () => encodedPicture("psd").subarray(0, 30)],
  ["a raw photo without a preview", () => Buffer.from("FUJIFILMCCD-RAW 0201FF383501".padEnd(4000, "\0"))],
  [
    "a raw photo of beginnings of JPEGs",
    () => Buffer.concat([Buffer.from("FUJIFILMCCD-RAW "), Buffer.alloc(9_000_000, "\xff\xd8\xff\xe0", "latin1")]),
  ],
])("%s is stored and not shown, in bounded time and memory", async (_what, make) => {
  const before = process.memoryUsage.rss();
  await expect(renditions.prepare(await stored(make()), GALLERY)).rejects.toBeInstanceOf(UnreadablePictureError);
  expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
});

test.each<[string, EncodedPicture, number]>([
  ["half a BMP", "bmp24", 0.5],
  // Its layers come first.
  ["a Photoshop file without its end", "psdPlain", 0.9],
])("%s shows what can be decoded", async (_what, name, part) => {
  expect(await renditionOf(cut(name, part))).toMatchObject({ width: 120, height: 80 });
});
