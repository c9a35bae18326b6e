import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { photoFormat } from "../../../shared/photo-format.ts";
import { seeded } from "../../../tests/support/broken-videos.ts";
import { type EncodedPicture, encodedPicture } from "../../../tests/support/encoded-pictures.ts";
import { HOSTILE_TIFFS, tiffOf } from "../../../tests/support/hostile-tiffs.ts";
import { sampled, sized } from "../../../tests/support/long-tests.ts";
import { scan } from "../../../tests/support/papers.ts";
import { cr3, raf, tiffRaw } from "../../../tests/support/raw-photos.ts";
import { photoDates } from "../../jobs/photo-date.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { measure, UnreadablePictureError } from "./pictures.ts";
import { openRenditions, type Renditions } from "./renditions.ts";
import { reading } from "./sources.ts";

let folder: string;
let renditions: Renditions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-tiffs-"));
  const store: Pick<ObjectStore, "source"> = { source: async ({ version }) => join(folder, version) };
  renditions = openRenditions(folderCopies(join(folder, "renditions")), store as ObjectStore);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Far more than any of these pictures needs on a quiet machine, and far less than one that is not bounded. */
const MOST_MS = 30_000;
const MOST_BYTES = 300_000_000;

/** Reads a picture as the server does with an upload: its type, size, dates and copies. Undefined if it cannot be shown. */
async function prepared(bytes: Buffer) {
  const [before, startedAt] = [process.memoryUsage.rss(), performance.now()];
  const key = { bucket: "b", version: randomUUID() };
  const path = join(folder, key.version);
  await writeFile(path, bytes);
  await reading(path, photoFormat);
  const size = await measure(path);
  await photoDates(path);
  const facts = await renditions.prepare(key, [{ size: 320, format: "webp" }]).catch((error: unknown) => {
    expect(error).toBeInstanceOf(UnreadablePictureError);
  });
  expect(performance.now() - startedAt).toBeLessThan(MOST_MS);
  expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_BYTES);
  return facts && { ...facts, size };
}

test.each(HOSTILE_TIFFS)("a TIFF with %s is %s, in bounded time and memory", async (_what, outcome, make) => {
  const facts = await prepared(make());
  expect(facts ? (facts.damaged ? "damaged" : "shown") : "refused").toBe(outcome);
});

test("a picture of another kind inside of a TIFF, or a TIFF under another name, is what its content is", async () => {
  const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  expect(await prepared(Buffer.concat([Buffer.from("II*\0", "latin1"), jpeg]))).toBeUndefined();
  expect(await prepared(Buffer.concat([jpeg, tiffOf([{}])]))).toMatchObject({ width: 40, height: 30 });
  const packed = deflateSync(Buffer.alloc(64 * 64, 0x80));
  expect(
    await prepared(
      tiffOf(
        [
          {
            entries: [
              [259, 3, 1, 8],
              [279, 4, 1, packed.length],
            ],
          },
        ],
        packed,
      ),
    ),
  ).toMatchObject({ width: 64 });
});

const WHOLE: Record<string, () => Promise<Buffer> | Buffer> = {
  ...Object.fromEntries(
    (
      [
        "turnedTiff",
        "turnedHeic",
        "jxlOfJpeg",
        "lossyJxl",
        "jp2",
        "j2k",
        "bmpRuns",
        "psd",
        "psdLayers",
        "tiffLayers",
      ] as const
    ).map((name: EncodedPicture) => [name, () => encodedPicture(name)]),
  ),
  "a scan of several pages": scan,
  "a raw photo": () => tiffRaw({ dng: true }),
  "a raw photo of Canon": () => cr3(),
  "a raw photo of Fujifilm": () => raf(),
};

test.each(sampled(Object.keys(WHOLE), 7))(
  "%s with random damage is shown or refused, in bounded time and memory",
  async (what) => {
    const whole = (await WHOLE[what]?.()) ?? Buffer.alloc(0);
    const random = seeded(whole.length);
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < sized(6, 100); round++) {
      const bytes = Buffer.from(whole);
      // Most damage is done in the tables, which come first or last.
      for (let change = below(4); change >= 0; change--) {
        const at =
          [
            below(Math.min(400, bytes.length)),
            below(bytes.length),
            bytes.length - 1 - below(Math.min(400, bytes.length)),
          ][below(3)] ?? 0;
        bytes.writeUInt8([0, 0xff, 0x7f, below(256)][below(4)] ?? 0, at);
      }
      await prepared(below(4) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes);
    }
  },
);
