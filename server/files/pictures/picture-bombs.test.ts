import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createDeflate } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { png, pngChunk } from "../../../tests/support/boxes.ts";
import { LONG } from "../../../tests/support/long-tests.ts";
import { hasRealPhoto, photoPaths } from "../../../tests/support/photos.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import type { Copy } from "./copies.ts";
import { MOST_DECODING_BYTES } from "./decoding-bytes.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

let folder: string;
let renditions: Renditions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-bombs-"));
  const store: Pick<ObjectStore, "source"> = {
    source: async ({ version }) => join(folder, version.split("+")[0] ?? ""),
  };
  renditions = openRenditions(folderCopies(join(folder, "renditions")), store as ObjectStore);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const GALLERY: Copy[] = [
  { size: 320, format: "avif" },
  { size: 640, format: "avif" },
  { size: 960, format: "webp" },
];

/** Uses a new version each time, so that no copy exists yet. */
const prepare = (name: string) => renditions.prepare({ bucket: "b", version: `${name}+${randomUUID()}` }, GALLERY);

/** The peak growth of the process's memory during `work`. */
async function memoryTaken(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  await work().finally(() => clearInterval(timer));
  return most - before;
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "teal" }, limitInputPixels: false });

test.runIf(LONG)("three JPEGs of 256 megapixels at once are prepared in bounded memory", async () => {
  await plain(16_000, 16_000).jpeg().toFile(join(folder, "large.jpg"));
  const taken = await memoryTaken(async () => {
    const results = await Promise.all(["large.jpg", "large.jpg", "large.jpg"].map(prepare));
    for (const picture of results)
      expect(picture).toEqual({ width: 16_000, height: 16_000, damaged: false, animated: false });
  });
  expect(taken).toBeLessThan(MOST_DECODING_BYTES);
});

test.runIf(LONG)(
  "pictures that need much memory to decode wait for each other, and small ones overtake them",
  async () => {
    await plain(6000, 6000).jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toFile(join(folder, "whole.jpg"));
    await plain(400, 300).jpeg().toFile(join(folder, "small.jpg"));
    const done: string[] = [];
    const names = ["whole.jpg", "whole.jpg", "whole.jpg", "whole.jpg", "small.jpg"];
    const taken = await memoryTaken(() => Promise.all(names.map((name) => prepare(name).then(() => done.push(name)))));
    expect(taken).toBeLessThan(MOST_DECODING_BYTES);
    expect(done.indexOf("small.jpg")).toBeLessThan(names.length - 1);
  },
);

/** The deflated form of so many zeros, generated in a stream. */
async function deflatedZeros(bytes: number): Promise<Buffer> {
  const path = join(folder, randomUUID());
  async function* zeros() {
    const slice = Buffer.alloc(1024 * 1024);
    for (let remaining = bytes; remaining > 0; remaining -= slice.length)
      yield slice.subarray(0, Math.min(remaining, slice.length));
  }
  await pipeline(zeros, createDeflate({ level: 1 }), createWriteStream(path));
  return readFile(path);
}

test("an empty PNG of 900 megapixels is refused by its header", async () => {
  const zeros = pngChunk("IDAT", await deflatedZeros(300_000_000));
  await writeFile(join(folder, "bomb.png"), png(30_000, 30_000, zeros));
  const taken = await memoryTaken(() => expect(prepare("bomb.png")).rejects.toThrow("cannot be shown"));
  expect(taken).toBeLessThan(100_000_000);
});

/** A TIFF of one strip with the bytes `strip`, whose header claims this size. */
function tiff(width: number, height: number, strip: Buffer): Buffer {
  const entries = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, 8],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 4, 1, height],
    [279, 4, 1, strip.length],
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag = 0, type = 0, count = 0, value = 0], index) => {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  });
  const beginning = Buffer.from("II*\0\0\0\0\0", "latin1");
  beginning.writeUInt32LE(8 + strip.length, 4);
  return Buffer.concat([beginning, strip, directory]);
}

test.each([
  ["of 900 megapixels", 30_000, 30_000],
  ["of one strip of 256 megapixels", 16_000, 16_000],
  ["with more rows than bytes", 10, 2_000_000_000],
])("a TIFF %s crashes nothing and takes bounded memory", async (name, width, height) => {
  const strip = await deflatedZeros(Math.min(width * height, 256_000_000));
  await writeFile(join(folder, name), tiff(width, height, strip));
  const taken = await memoryTaken(() =>
    prepare(name).catch((error: Error) => expect(error.message).toContain("shown")),
  );
  expect(taken).toBeLessThan(MOST_DECODING_BYTES);
});

test.runIf(hasRealPhoto("iphone.heic")).each([
  ["much less", 64, 64],
  ["more", 7000, 7000],
  ["impossibly many", 4_000_000_000, 4_000_000_000],
])("a HEIC that claims %s pixels than it has is shown or refused, in bounded memory", async (name, width, height) => {
  const [path = ""] = await photoPaths("iphone.heic");
  const photo = await readFile(path);
  for (let at = photo.indexOf("ispe"); at !== -1; at = photo.indexOf("ispe", at + 4)) {
    photo.writeUInt32BE(width, at + 8);
    photo.writeUInt32BE(height, at + 12);
  }
  await writeFile(join(folder, name), photo);
  const taken = await memoryTaken(() =>
    prepare(name).catch((error: Error) => expect(error.message).toContain("shown")),
  );
  expect(taken).toBeLessThan(MOST_DECODING_BYTES);
});
