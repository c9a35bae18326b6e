import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pngChunk } from "../../../tests/support/boxes.ts";
import { HEIC_PICTURES } from "../../../tests/support/heic-pictures.ts";
import { hasRealPhoto, photoPaths } from "../../../tests/support/photos.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import type { Copy } from "./copies.ts";
import { heifOrientation } from "./heif-orientation.ts";
import { measure } from "./pictures.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

declare module "sharp" {
  interface Sharp {
    /** Missing in the types of this version. */
    withGainMap(): Sharp;
  }
}

let folder: string;
let renditions: Renditions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-formats-"));
  const store: Pick<ObjectStore, "source"> = { source: async ({ version }) => join(folder, `${version}.original`) };
  renditions = openRenditions(folderCopies(folder), store as ObjectStore);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stored(picture: Buffer) {
  const version = randomUUID();
  await writeFile(join(folder, `${version}.original`), picture);
  return { bucket: "b", version };
}

const GALLERY: Copy[] = [
  { size: 320, format: "avif" },
  { size: 960, format: "webp" },
];

/** Orange on the left, blue on the right. */
const painted = (width = 600, height = 400): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "#c8641e" } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: "#1e3cc8" } },
      left: width / 2,
      top: 0,
    },
  ]);

/** The colours in the centre of the left and of the right half. */
async function colours(file: Buffer | string) {
  const { data } = await sharp(file)
    .resize(4, 2, { fit: "fill", kernel: "nearest" })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 3), ...data.subarray(9, 12)];
}

function expectPainted(actual: number[], tolerance = 12) {
  const differences = [200, 100, 30, 30, 60, 200].map((value, index) => Math.abs(value - (actual[index] ?? 0)));
  expect(Math.max(...differences), `${actual}`).toBeLessThan(tolerance);
}

const pixels = () => painted().png().toBuffer();

test.each<[string, (picture: Sharp) => Sharp, number]>([
  ["an uncompressed TIFF", (picture) => picture.tiff({ compression: "none" }), 12],
  ["a TIFF packed by LZW", (picture) => picture.tiff({ compression: "lzw" }), 12],
  ["a TIFF packed by deflate", (picture) => picture.tiff({ compression: "deflate" }), 12],
  ["a TIFF packed as JPEG", (picture) => picture.tiff({ compression: "jpeg", quality: 90 }), 20],
  ["a TIFF in tiles", (picture) => picture.tiff({ compression: "lzw", tile: true }), 12],
  ["a TIFF of 16 bits", (picture) => picture.toColourspace("rgb16").tiff({ compression: "deflate" }), 12],
  // CMYK has a smaller range of colours.
  ["a TIFF in CMYK", (picture) => picture.toColourspace("cmyk").tiff({ compression: "lzw" }), 75],
  ["a JPEG in CMYK", (picture) => picture.toColourspace("cmyk").jpeg({ quality: 95 }), 75],
  ["a progressive JPEG", (picture) => picture.jpeg({ progressive: true, quality: 95 }), 12],
  ["a PNG of 16 bits with a profile", (picture) => picture.toColourspace("rgb16").withIccProfile("p3").png(), 12],
  ["a PNG of 16 bits", (picture) => picture.toColourspace("rgb16").png(), 12],
  ["an interlaced PNG", (picture) => picture.png({ progressive: true }), 12],
  ["a lossless WebP", (picture) => picture.webp({ lossless: true }), 12],
  ["an AVIF", (picture) => picture.avif({ quality: 80 }), 12],
])("%s is shown in its colours", async (_what, encode, tolerance) => {
  const key = await stored(await encode(sharp(await pixels())).toBuffer());
  expect(await renditions.prepare(key, GALLERY)).toEqual({ width: 600, height: 400, damaged: false, animated: false });
  expectPainted(await colours((await renditions.file(key, 320, "avif")).path), tolerance);
  expectPainted(await colours((await renditions.file(key, "full")).path), tolerance);
});

const FFMPEG = "ffmpeg";
const hasFfmpeg = (() => {
  try {
    return execFileSync(FFMPEG, ["-hide_banner", "-loglevel", "quiet", "-version"]).length > 0;
  } catch {
    return false;
  }
})();

test
  .runIf(hasFfmpeg)
  .each([["an animated AVIF", "moving.avif", ["-c:v", "libaom-av1", "-cpu-used", "8", "-still-picture", "0"]]])(
  "%s is shown as its first frame",
  async (_what, name, options) => {
    const path = join(folder, name);
    const source = ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=5:duration=1"];
    execFileSync(FFMPEG, ["-loglevel", "error", "-y", ...source, ...options, path]);
    const key = await stored(await readFile(path));
    expect(await renditions.prepare(key, GALLERY)).toEqual({
      width: 320,
      height: 240,
      damaged: false,
      animated: false,
    });
    const { pages = 1 } = await sharp((await renditions.file(key, 960)).path).metadata();
    expect(pages).toBe(1);
  },
);

/** The colours at the centre of each frame. */
async function framesOf(path: string) {
  const { pages = 1, pageHeight = 0, width } = await sharp(path, { animated: true }).metadata();
  return Promise.all(
    Array.from({ length: pages }, async (_, page) => {
      const area = { left: Math.floor(width / 2), top: Math.floor(pageHeight / 2), width: 1, height: 1 };
      const pixel = await sharp(path, { page }).extract(area).toColourspace("srgb").ensureAlpha().raw().toBuffer();
      return [...pixel];
    }),
  );
}

const RED_GREEN_BLUE = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
];

function expectFrames(frames: number[][], expected = RED_GREEN_BLUE) {
  expect(frames.length).toBe(expected.length);
  const differences = frames.flatMap((frame, index) =>
    frame.map((value, part) => value - (expected[index]?.[part] ?? 0)),
  );
  expect(Math.max(...differences.map(Math.abs)), JSON.stringify(frames)).toBeLessThan(12);
}

test.each(["gif", "webp"] as const)(
  "an animated %s moves in the lightbox and stands still in a gallery",
  async (format) => {
    const frames = await Promise.all(
      ["#f00", "#0f0", "#00f"].map((background) =>
        sharp({ create: { width: 80, height: 60, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const key = await stored(
      await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer(),
    );
    expect(await renditions.prepare(key, GALLERY)).toEqual({ width: 80, height: 60, damaged: false, animated: true });
    expectFrames(await framesOf((await renditions.file(key, 1600)).path));
    expectFrames(await framesOf((await renditions.file(key, "full")).path));
    expectFrames(await framesOf((await renditions.file(key, 960)).path), RED_GREEN_BLUE.slice(0, 1));
  },
);

/** Encodes an animated PNG with ffmpeg: a red, a green and a blue frame, in the given pixel format. */
async function animatedPng(pixelFormat: string): Promise<Buffer> {
  const path = join(folder, `${randomUUID()}.apng`);
  // One part of the colours in each frame.
  const colours = "format=rgb24,geq=r='255*eq(N,0)':g='255*eq(N,1)':b='255*eq(N,2)'";
  const inputs = ["-f", "lavfi", "-i", `color=s=80x60:r=10:d=0.3,${colours}`];
  const options = ["-frames:v", "3", "-pix_fmt", pixelFormat, "-plays", "0"];
  execFileSync(FFMPEG, ["-loglevel", "error", "-y", ...inputs, ...options, path]);
  return readFile(path);
}

test.each(["rgb24", "rgba", "rgb48be", "gray"])("an animated PNG of %s moves in the lightbox", async (pixelFormat) => {
  const key = await stored(await animatedPng(pixelFormat));
  expect(await renditions.prepare(key, GALLERY)).toMatchObject({
    width: 80,
    height: 60,
    animated: true,
    damaged: false,
  });
  const expected = [54, 182, 18].map((grey) => [grey, grey, grey, 255]);
  const frames = await framesOf((await renditions.file(key, 1600)).path);
  if (pixelFormat === "gray") expect(frames.length).toBe(expected.length);
  else expectFrames(frames);
  expectFrames(
    await framesOf((await renditions.file(key, 960)).path),
    pixelFormat === "gray" ? frames.slice(0, 1) : RED_GREEN_BLUE.slice(0, 1),
  );
  expect((await sharp((await renditions.file(key, 1600)).path, { animated: true }).metadata()).delay).toEqual([
    100, 100, 100,
  ]);
});

test("an animated PNG with a place keeps it from its moving copies", async () => {
  const png = await animatedPng("rgb24");
  const text = Buffer.from("Comment\0Nonna Rosa, +45.4642+009.1900", "latin1");
  const key = await stored(Buffer.concat([png.subarray(0, 33), pngChunk("tEXt", text), png.subarray(33)]));
  for (const size of [1600, "full"] as const) {
    const copy = await readFile((await renditions.file(key, size)).path);
    expect([copy.includes("Nonna Rosa"), copy.includes("EXIF"), copy.includes("XMP ")]).toEqual([false, false, false]);
  }
});

test("an animated PNG with a damaged frame shows its first one", async () => {
  const png = await animatedPng("rgb24");
  const last = png.lastIndexOf("fdAT");
  png.fill(0xff, last + 8, last + 20);
  const key = await stored(png);
  expect(await renditions.prepare(key, GALLERY)).toMatchObject({ animated: true });
  expectFrames(await framesOf((await renditions.file(key, 1600)).path), RED_GREEN_BLUE.slice(0, 1));
});

test("the copies of a motion photo do not contain its movie", async () => {
  const movie = Buffer.from("\0\0\0\x18ftypmp42 and all of a private movie", "latin1");
  const key = await stored(
    Buffer.concat([
      await sharp(await pixels())
        .jpeg()
        .toBuffer(),
      movie,
    ]),
  );
  expect(await renditions.prepare(key, GALLERY)).toMatchObject({ damaged: false, animated: false });
  for (const size of [320, "full"] as const) {
    const copy = await readFile((await renditions.file(key, size)).path);
    expect(copy.includes("ftypmp42")).toBe(false);
    expect(copy.includes("private movie")).toBe(false);
  }
});

test("an Ultra HDR photo is shown, and its copies hold no gain map", async () => {
  const photo = await sharp(await pixels())
    .toColourspace("scrgb")
    .withGainMap()
    .jpeg()
    .toBuffer();
  expect((await sharp(photo).metadata()).gainMap).toBeDefined();
  const key = await stored(photo);
  expect(await renditions.prepare(key, GALLERY)).toEqual({ width: 600, height: 400, damaged: false, animated: false });
  for (const size of [960, "full"] as const) {
    const facts = await sharp((await renditions.file(key, size)).path).metadata();
    expect([facts.gainMap, facts.exif]).toEqual([undefined, undefined]);
  }
});

test.each([
  ["first", 1, [224, 32, 32]],
  ["last", 2, [32, 192, 32]],
])("a burst shows its primary picture, here the %s", async (_which, chosen, color) => {
  const burst = Buffer.from(HEIC_PICTURES.burst);
  // The number of the chosen picture follows the name, version and flags of its box.
  burst.writeUInt16BE(chosen, burst.indexOf("pitm") + 8);
  const key = await stored(burst);
  expect(await renditions.prepare(key, GALLERY)).toEqual({ width: 64, height: 64, damaged: false, animated: false });
  const rendition = await sharp((await renditions.file(key, 960)).path)
    .removeAlpha()
    .raw()
    .toBuffer();
  const offBy = color.map((value, channel) => Math.abs((rendition[channel] ?? 0) - value));
  expect(Math.max(...offBy)).toBeLessThan(12);
});

test("a HEIC that only EXIF turns is upright, and one with its own rotation is not turned twice", async () => {
  const key = await stored(HEIC_PICTURES.turnedByExif);
  expect(await renditions.prepare(key, GALLERY)).toMatchObject({ width: 400, height: 300 });
  // The picture is light above and dark below.
  const { data } = await sharp((await renditions.file(key, 960)).path)
    .resize(2, 2, { fit: "fill" })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [aboveLeft = 0, aboveRight = 0, belowLeft = 0, belowRight = 0] = data;
  expect(Math.min(aboveLeft, aboveRight) - Math.max(belowLeft, belowRight)).toBeGreaterThan(30);
  expect(Math.abs(aboveLeft - aboveRight)).toBeLessThan(10);
  expect(await measure(join(folder, `${key.version}.original`))).toEqual({ width: 400, height: 300 });

  // The same file, in which the last property of the picture becomes a rotation of its own by 0.
  const own = Buffer.from(HEIC_PICTURES.turnedByExif);
  own.write("irot", own.indexOf("pixi"), "latin1");
  expect(await heifOrientation(own, (await sharp(own).metadata()).exif)).toBe(1);
});

test.each([2, 3, 4, 5, 6, 7, 8])("an AVIF that only EXIF turns by %s is upright", async (orientation) => {
  const straight = painted().flip().composite([]).png();
  const upright = await sharp(await straight.toBuffer())
    .composite([{ input: { create: { width: 300, height: 200, channels: 3, background: "#fff" } }, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const inverse: Record<number, (picture: Sharp) => Sharp> = {
    2: (picture) => picture.flop(),
    3: (picture) => picture.rotate(180),
    4: (picture) => picture.flip(),
    5: (picture) => picture.rotate(90).flip(),
    6: (picture) => picture.rotate(270),
    7: (picture) => picture.rotate(90).flop(),
    8: (picture) => picture.rotate(90),
  };
  const lying = await inverse[orientation]?.(sharp(upright)).png().toBuffer();
  const avif = await sharp(lying).withMetadata({ orientation }).avif({ effort: 0, quality: 90 }).toBuffer();
  const key = await stored(avif);
  expect(await renditions.prepare(key, GALLERY)).toMatchObject({ width: 600, height: 400 });
  const { data } = await sharp((await renditions.file(key, 960)).path)
    .resize(2, 2, { fit: "fill" })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Only the corner above on the left is white.
  expect(Math.min(data[0] ?? 0) - Math.max(data[1] ?? 0, data[2] ?? 0, data[3] ?? 0)).toBeGreaterThan(60);
});

test("a HEIC keeps what is transparent", async () => {
  const key = await stored(HEIC_PICTURES.transparent);
  await renditions.prepare(key, GALLERY);
  for (const [size, format] of [
    [320, "avif"],
    [960, "webp"],
    ["full", "webp"],
  ] as const) {
    const { data, info } = await sharp((await renditions.file(key, size, format)).path)
      .ensureAlpha()
      .extractChannel(3)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) =>
      data[Math.floor(y * info.height) * info.width + Math.floor(x * info.width)] ?? -1;
    expect([at(0.5, 0.5), at(0.02, 0.02), at(0.98, 0.98)].map((alpha) => Math.round(alpha / 255))).toEqual([1, 0, 0]);
  }
});

test.runIf(hasRealPhoto("iphone.heic"))("a HEIC keeps the colours of its profile, and its upright size", async () => {
  const [path = ""] = await photoPaths("iphone.heic");
  const key = await stored(await readFile(path));
  const { width, height, damaged } = await renditions.prepare(key, GALLERY);
  const { autoOrient } = await sharp(path).metadata();
  expect([width, height, damaged]).toEqual([autoOrient.width, autoOrient.height, false]);
  // In Display P3, the profile of the photo, the mean colour of its flower is (151, 113, 191). In sRGB it is another.
  const flower = { left: 240, top: 781, width: 240, height: 124 };
  const rendition = await sharp((await renditions.file(key, 960)).path)
    .extract(flower)
    .toBuffer();
  const { channels } = await sharp(rendition).stats();
  const offBy = [157, 110, 194].map((value, channel) => Math.abs((channels[channel]?.mean ?? 0) - value));
  expect(Math.max(...offBy)).toBeLessThan(2);
});

const noise = () =>
  sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: "#c04020",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  });

test.each<[string, (picture: Sharp) => Sharp]>([
  ["JPEG", (picture) => picture.jpeg({ quality: 95 })],
  ["progressive JPEG", (picture) => picture.jpeg({ quality: 95, progressive: true })],
  ["PNG", (picture) => picture.png()],
])("half of a %s is shown and marked as damaged", async (_format, encode) => {
  const whole = await encode(noise()).toBuffer();
  const half = whole.subarray(0, whole.length / 2);
  const key = await stored(half);
  expect(await renditions.prepare(key, GALLERY)).toMatchObject({ damaged: true });
  const { channels } = await sharp((await renditions.file(key, 960)).path)
    .extract({ left: 0, top: 0, width: 320, height: 60 })
    .stats();
  expect(channels[0]?.stdev).toBeGreaterThan(5);
});

test.each<[string, (picture: Sharp) => Sharp, (whole: Buffer) => number]>([
  // Cut off at the start of the first scan.
  ["JPEG", (picture) => picture.jpeg({ quality: 95 }), (whole) => whole.indexOf("\xff\xda", 0, "latin1") + 14],
  ["PNG", (picture) => picture.png(), (whole) => whole.indexOf("IDAT") + 6],
  // The WebP decoder returns nothing for a truncated file.
  ["WebP", (picture) => picture.webp(), (whole) => whole.length / 2],
])("a %s without readable content is refused", async (_format, encode, end) => {
  const whole = await encode(noise()).toBuffer();
  const key = await stored(whole.subarray(0, end(whole)));
  await expect(renditions.prepare(key, GALLERY)).rejects.toThrow("cannot be shown");
});
