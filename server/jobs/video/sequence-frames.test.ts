import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureFfmpeg } from "../../../scripts/setup/ffmpeg.mjs";
import { folderCopies } from "../../files/copy-store.ts";
import type { ObjectStore } from "../../files/object-store.ts";
import { UnreadablePictureError } from "../../files/pictures/pictures.ts";
import { openRenditions, type Renditions } from "../../files/pictures/renditions.ts";
import { sequenceDecoder } from "./sequence-frames.ts";

const programs = await ensureFfmpeg();
const ffmpeg = { ffmpeg: join(programs, "ffmpeg"), ffprobe: join(programs, "ffprobe") };
const execute = promisify(execFile);
let folder: string;
let renditions: Renditions;
/** In a bucket, a picture is bytes instead of a path. */
let ofBucket: Renditions;
let moving: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-sequences-"));
  const path = ({ version }: { version: string }) => join(folder, version);
  const open = (source: ObjectStore["source"], name: string) =>
    openRenditions(folderCopies(join(folder, name)), { source } as ObjectStore, sequenceDecoder(ffmpeg));
  renditions = open(async (key) => path(key), "renditions");
  ofBucket = open((key) => readFile(path(key)), "bucket");
  moving = await sequence();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stored(bytes: Buffer) {
  const version = randomUUID();
  await writeFile(join(folder, version), bytes);
  return { bucket: "b", version };
}

/** An AVIF by ffmpeg: a red, a green and a blue frame of 40 ms each. */
async function sequence(...options: string[]): Promise<Buffer> {
  const path = join(folder, `${randomUUID()}.avif`);
  const frames = ["red", "0x00ff00", "blue"].flatMap((colour) =>
    `-f lavfi -i color=c=${colour}:s=320x240:r=25:d=0.04`.split(" "),
  );
  const joined = options.includes("-filter_complex") ? [] : ["-filter_complex", "concat=n=3"];
  const encoder = ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-crf", "20", "-pix_fmt", "yuv444p"];
  await execute(ffmpeg.ffmpeg, ["-v", "error", "-y", ...frames, ...joined, ...encoder, ...options, path]);
  return readFile(path);
}

/** The colours of the centre of each frame, with the times for which they are shown. */
async function framesOf(path: string) {
  const { pages = 1, width, pageHeight = 0, delay = [], loop } = await sharp(path, { animated: true }).metadata();
  const pixels = Array.from({ length: pages }, async (_, page) => {
    const frame = sharp(path, { page });
    const area = { left: Math.floor(width / 2), top: Math.floor((pageHeight || 240) / 2), width: 1, height: 1 };
    return [...(await frame.extract(area).toColourspace("srgb").ensureAlpha().raw().toBuffer())];
  });
  return { pages, delay, loop, pixels: await Promise.all(pixels) };
}

const named = ([red = 0, green = 0, blue = 0, alpha = 0]: number[]) =>
  [red, green, blue, alpha].map((value) => (value > 215 ? "high" : value < 40 ? "low" : `${value}`)).join(" ");
const [RED, GREEN, BLUE] = ["high low low high", "low high low high", "low low high high"];

test("an animated AVIF moves in the lightbox and stands still in the grid, wherever it is stored", async () => {
  const key = await stored(moving);
  for (const where of [renditions, ofBucket]) {
    const facts = await where.prepare(key, [{ size: 320, format: "avif" }]);
    expect(facts).toMatchObject({ width: 320, height: 240, damaged: false, animated: true });
    expect((await framesOf((await where.file(key, 960)).path)).pages).toBe(1);
    expect((await framesOf((await where.file(key, 320, "avif")).path)).pages).toBe(1);
    for (const size of [1600, "full"] as const) {
      const { delay, loop, pixels } = await framesOf((await where.file(key, size)).path);
      expect(pixels.map(named)).toEqual([RED, GREEN, BLUE]);
      expect([delay, loop]).toEqual([[40, 40, 40], 0]);
    }
  }
});

test("an animated AVIF keeps its transparency", async () => {
  const layers = "concat=n=3,format=yuv444p,split[c][d];[d]format=gray,lutyuv=y=if(gt(val\\,100)\\,255\\,0)[a]";
  const clear = await sequence("-filter_complex", layers, ..."-map [c] -map [a] -pix_fmt:v:1 gray".split(" "));
  const { pixels } = await framesOf((await renditions.file(await stored(clear), 1600)).path);
  // Only green is bright enough to stay.
  expect(pixels.map((pixel) => pixel[3])).toEqual([0, 255, 0]);
});

/** Replaces what follows the first box of this type. */
function patched(bytes: Buffer, type: string, after: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(type) + 4 + after;
  for (const [index, value] of values.entries()) copy.writeUInt32BE(value, at + index * 4);
  return copy;
}

test.each<[string, (whole: Buffer) => Buffer]>([
  ["more frames in its table than it has", (whole) => patched(whole, "stts", 8, 60)],
  ["four billion frames in its table", (whole) => patched(whole, "stts", 8, 0xffffffff)],
  ["four billion rows in its table", (whole) => patched(whole, "stts", 4, 0xffffffff)],
  ["no frame in its table", (whole) => patched(whole, "stts", 8, 0)],
  ["no clock", (whole) => patched(whole, "mdhd", 12, 0)],
  ["a track of another size", (whole) => patched(whole, "tkhd", 76, 0x7fff0000, 0x7fff0000)],
  ["a track larger than the file", (whole) => patched(whole, "trak", -8, 0x7fffffff)],
  ["frames of noise after the first", (whole) => Buffer.concat([whole.subarray(0, -300), Buffer.alloc(300, 0x5c)])],
  ["its end missing", (whole) => whole.subarray(0, -200)],
])(
  "an animated AVIF with %s shows its first picture, or nothing, in bounded time and memory",
  async (_what, damage) => {
    const before = process.memoryUsage.rss();
    const key = await stored(damage(moving));
    const file = await renditions.file(key, 1600).catch((error: unknown) => {
      expect(error).toBeInstanceOf(UnreadablePictureError);
    });
    if (file) expect(named((await framesOf(file.path)).pixels[0] ?? [])).toBe(RED);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
  },
);

test("an animated AVIF of too many pixels stands still", async () => {
  const long = ["-filter_complex", "[0]scale=1920:1080,loop=30:1", "-frames:v", "21"];
  const key = await stored(await sequence(...long));
  expect(await renditions.prepare(key, [{ size: 320, format: "avif" }])).toMatchObject({
    width: 1920,
    animated: false,
  });
});
