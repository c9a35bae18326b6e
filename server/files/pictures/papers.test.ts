import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LONG, sampled } from "../../../tests/support/long-tests.ts";
import {
  HOSTILE_PAPERS,
  letter,
  lockedLetter,
  PAGE_COLOURS,
  SECRET_OF_PAPER,
  scan,
} from "../../../tests/support/papers.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import type { Copy } from "./copies.ts";
import { UnreadablePictureError } from "./pictures.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

let folder: string;
let renditions: Renditions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-papers-"));
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

/** The colour of the right lower corner. */
async function corner(path: string): Promise<number[]> {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const at = ((info.height - 3) * info.width + info.width - 3) * info.channels;
  return [...data.subarray(at, at + 3)];
}

const closeTo = (colour: readonly number[]) => colour.map((part) => expect.closeTo(part, -1));

describe.each([
  ["a letter", letter, { width: 1750, height: 2479 }],
  ["a scan", scan, { width: 300, height: 400 }],
])("%s of three pages", (_name, make, size) => {
  test("shows its first page as its picture, and each page on its own", async () => {
    const key = await stored(await make());
    expect(await renditions.prepare(key, GALLERY)).toEqual({ ...size, pages: 3, damaged: false, animated: false });
    const first = await renditions.file(key, 320, "avif");
    expect(await corner(first.path)).toEqual(closeTo(PAGE_COLOURS[0]));
    for (const [index, colour] of PAGE_COLOURS.entries()) {
      for (const width of [1600, "full"] as const) {
        const { path } = await renditions.file(key, width, "webp", index + 1);
        expect(await corner(path)).toEqual(closeTo(colour));
        expect((await readFile(path)).includes(SECRET_OF_PAPER)).toBe(false);
      }
    }
  });

  test("has no fourth page", async () => {
    const key = await stored(await make());
    await expect(renditions.file(key, 1600, "webp", 4)).rejects.toBeInstanceOf(UnreadablePictureError);
  });
});

test("a filled-in field is seen on the page", async () => {
  const key = await stored(await letter());
  const { path } = await renditions.file(key, "full");
  const field = { left: 180, top: 1910, width: 300, height: 120 };
  const { channels } = await sharp(path).extract(field).stats();
  expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(5);
});

test("a photo has no second page, and neither has an animation", async () => {
  const [width, height] = [40, 40];
  const still = await sharp({ create: { width, height, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const frames = { width, height: height * 3, channels: 3, pageHeight: height } as const;
  const moving = await sharp(Buffer.alloc(width * height * 9, 90), { raw: frames })
    .gif({ delay: [90, 90, 90] })
    .toBuffer();
  for (const bytes of [still, moving]) {
    const key = await stored(bytes);
    expect((await renditions.prepare(key, GALLERY)).pages).toBeUndefined();
    await expect(renditions.file(key, 320, "webp", 2)).rejects.toBeInstanceOf(UnreadablePictureError);
  }
});

test("a letter that needs a password cannot be shown", async () => {
  const key = await stored(await lockedLetter());
  const error = await renditions.prepare(key, GALLERY).catch((reason: Error) => reason);
  expect(error).toBeInstanceOf(UnreadablePictureError);
  expect(String((error as Error).cause)).toContain("password");
});

/** Of a paper that takes as long as it may, with the start of the thread after it. */
const LONGEST_MS = 60_000;

test.each(sampled(Object.keys(HOSTILE_PAPERS), 3))(
  "%s: a picture or none",
  async (name) => {
    const key = await stored((await HOSTILE_PAPERS[name]?.()) ?? Buffer.alloc(0));
    const outcome = await renditions.prepare(key, [{ size: 320, format: "webp" }]).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UnreadablePictureError);
    else expect((outcome as { pages: number }).pages).toBeLessThanOrEqual(500);
  },
  LONGEST_MS,
);

test.runIf(LONG)(
  "papers that take long hold up neither photos nor, in the end, other papers",
  async () => {
    const hostile = ["a drawing that draws itself", "a page of 400 MB of commands"].map(async (name) =>
      renditions.prepare(await stored((await HOSTILE_PAPERS[name]?.()) ?? Buffer.alloc(0)), GALLERY),
    );
    const outcome = Promise.allSettled(hostile).then(() => "papers");
    const plain = sharp({ create: { width: 40, height: 40, channels: 3, background: "teal" } });
    const photo = await stored(await plain.png().toBuffer());
    expect(await Promise.race([outcome, renditions.file(photo, 320).then(() => "photo")])).toBe("photo");
    await outcome;
    expect((await renditions.prepare(await stored(await letter()), GALLERY)).pages).toBe(3);
  },
  LONGEST_MS,
);
