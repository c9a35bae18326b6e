import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { pngChunk } from "../../../tests/support/boxes.ts";
import { HDR_PATCHES, HDR_PICTURES } from "../../../tests/support/hdr-pictures.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { openRenditions } from "./renditions.ts";

const folder = await mkdtemp(join(tmpdir(), "skies-hdr-pictures-"));
afterAll(() => rm(folder, { recursive: true }));

/** The signature and the first chunk. */
const PNG_HEADER_BYTES = 33;

/** A PNG with the pixels of the AVIF in PQ, which says so in a chunk. */
async function pqPng(): Promise<Buffer> {
  const png = await sharp(HDR_PICTURES.pqAvif).toColourspace("rgb16").png().toBuffer();
  const colours = pngChunk("cICP", Buffer.from([9, 16, 0, 1]));
  return Buffer.concat([png.subarray(0, PNG_HEADER_BYTES), colours, png.subarray(PNG_HEADER_BYTES)]);
}

const PICTURES = { ...HDR_PICTURES, pqPng: await pqPng() };

function renditionsOf(bytes: Buffer) {
  const store: Pick<ObjectStore, "source"> = { source: async () => bytes };
  return openRenditions(folderCopies(folder), store as ObjectStore);
}

test.each(Object.entries(PICTURES))("a photo in HDR looks like the same photo in SDR: %s", async (_name, bytes) => {
  const renditions = renditionsOf(bytes);
  const key = { bucket: "media", version: randomUUID() };
  const prepared = await renditions.prepare(key, [{ size: 960, format: "webp" }]);
  expect(prepared).toEqual({ width: 100, height: 66, damaged: false, animated: false });
  for (const size of [960, "full"] as const) {
    const pixels = await sharp((await renditions.file(key, size)).path)
      .removeAlpha()
      .raw()
      .toBuffer();
    const differences = HDR_PATCHES.map((colour, index) => {
      const at = (Math.floor(index / 4) * 22 + 10) * 100 + (index % 4) * 25 + 12;
      return colour.reduce((sum, value, channel) => sum + Math.abs(value - (pixels[at * 3 + channel] ?? 0)), 0) / 3;
    });
    // White is white, and the mean difference is at most 6 of 255.
    expect(differences[0]).toBeLessThanOrEqual(4);
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThanOrEqual(6);
  }
});
