import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Box, PhotoEdit } from "../../../shared/photo-edit.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import type { CopySize } from "./copies.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

let folder: string;
let renditions: Renditions;
const paths = new Map<string, string>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-blurred-"));
  const source: ObjectStore["source"] = async ({ version }) => paths.get(version) ?? "";
  renditions = openRenditions(folderCopies(join(folder, "renditions")), { source } as ObjectStore);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stored(bytes: Buffer) {
  const version = randomUUID();
  paths.set(version, join(folder, version));
  await writeFile(join(folder, version), bytes);
  return { bucket: "media", version };
}

const [WIDTH, HEIGHT] = [640, 480];
const EDIT: PhotoEdit = { turn: 0, straighten: 0, crop: [0, 0, 1, 1] };
/** The part that is blurred: a quarter of the picture, off its middle. */
const PART: Box = [0.25, 0.125, 0.25, 0.25];

/** Black and white squares with edges of 8 pixels, by a secret that nothing else of the picture tells. */
const secret = Array.from({ length: (WIDTH / 8) * (HEIGHT / 8) }, () => Math.random() < 0.5);
const bitAt = (x: number, y: number) => secret[Math.floor(y / 8) * (WIDTH / 8) + Math.floor(x / 8)];
const pattern = (channels: 3 | 4 = 3) => {
  const data = Buffer.alloc(WIDTH * HEIGHT * channels, 255);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const value = bitAt(at % WIDTH, Math.floor(at / WIDTH)) ? 255 : 0;
    data.fill(value, at * channels, at * channels + 3);
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels } });
};

/** How well a copy tells the secret inside and outside the blurred part: 1 if entirely, 0 if not at all. */
async function told(path: string, edit: PhotoEdit, page = 0) {
  const back = sharp(path, { page }).removeAlpha().greyscale().rotate(-edit.turn);
  const { data, info } = await sharp(await back.png().toBuffer())
    .resize({ width: WIDTH, height: HEIGHT, fit: "fill", kernel: "cubic" })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [left, top, width, height] = PART;
  const pairs: Record<"inside" | "outside", [number, number][]> = { inside: [], outside: [] };
  for (let y = 4; y < HEIGHT; y += 8) {
    for (let x = 4; x < WIDTH; x += 8) {
      const isInside =
        x > left * WIDTH && x < (left + width) * WIDTH && y > top * HEIGHT && y < (top + height) * HEIGHT;
      pairs[isInside ? "inside" : "outside"].push([
        data[(y * info.width + x) * info.channels] ?? 0,
        bitAt(x, y) ? 255 : 0,
      ]);
    }
  }
  return { inside: correlation(pairs.inside), outside: correlation(pairs.outside) };
}

function correlation(pairs: [number, number][]): number {
  const mean = (place: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[place], 0) / pairs.length;
  const [a, b] = [mean(0), mean(1)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [x, y] of pairs) {
    ab += (x - a) * (y - b);
    aa += (x - a) ** 2;
    bb += (y - b) ** 2;
  }
  return Math.abs(ab / Math.sqrt(aa * bb || 1));
}

/** Sixteen colours of three hundred squares explain up to about a quarter by chance. */
const NOTHING = 0.4;

test.each<[string, PhotoEdit, CopySize]>([
  ["in its own size", { ...EDIT, blur: [PART] }, "full"],
  ["in a small copy", { ...EDIT, blur: [PART] }, 320],
  ["in a larger copy", { ...EDIT, blur: [PART] }, 960],
  ["turned", { ...EDIT, turn: 90, blur: [PART] }, "full"],
  ["turned twice", { ...EDIT, turn: 180, blur: [PART] }, "full"],
  [
    "by two parts that overlap",
    {
      ...EDIT,
      blur: [
        [0.25, 0.125, 0.15, 0.25],
        [0.35, 0.125, 0.15, 0.25],
      ],
    },
    "full",
  ],
])("a blurred part cannot be read %s, and the rest can", async (_how, edit, size) => {
  for (const make of [() => pattern().png(), () => pattern().jpeg(), () => pattern(4).webp({ lossless: true })]) {
    const { path } = await renditions.file({ ...(await stored(await make().toBuffer())), edit }, size);
    const { inside, outside } = await told(path, edit);
    expect(inside).toBeLessThan(NOTHING);
    expect(outside).toBeGreaterThan(0.8);
  }
});

test("of the blurred part remain its few mean colours", async () => {
  const key = await stored(await pattern().png().toBuffer());
  const { path } = await renditions.file({ ...key, edit: { ...EDIT, blur: [[0, 0, 1, 1]] } }, "full");
  const { channels } = await sharp(path).stats();
  // Black and white squares are grey everywhere.
  for (const { mean, stdev } of channels.slice(0, 3)) {
    expect(mean).toBeGreaterThan(90);
    expect(mean).toBeLessThan(165);
    expect(stdev).toBeLessThan(20);
  }
});

test("a part is where it was taken, however the photo is turned, straightened and cropped", async () => {
  const white = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#fff" } })
    .composite([
      {
        input: await sharp({ create: { width: 40, height: 30, channels: 3, background: "#000" } })
          .png()
          .toBuffer(),
        left: 200,
        top: 150,
      },
    ])
    .png()
    .toBuffer();
  const key = await stored(white);
  const darkest = async (edit: PhotoEdit) => {
    const { path } = await renditions.file({ ...key, edit }, "full");
    return (await sharp(path).greyscale().stats()).channels[0]?.min ?? 0;
  };
  for (const edit of [
    EDIT,
    { ...EDIT, straighten: 12 },
    { ...EDIT, turn: 270 as const, crop: [0.2, 0.2, 0.6, 0.6] as Box },
  ]) {
    // The black square is in the middle of the blurred part, which is mostly white.
    expect(await darkest({ ...edit, turn: edit.turn || 90 })).toBeLessThan(20);
    expect(await darkest({ ...edit, blur: [[0.3, 0.3, 0.5, 0.5]] })).toBeGreaterThan(60);
  }
});

test("a part at the edge, the smallest one, and fifty are blurred", async () => {
  const key = await stored(await pattern().png().toBuffer());
  const many = Array.from({ length: 50 }, (_, at): Box => [(at % 10) / 10, Math.floor(at / 10) / 5, 0.1, 0.2]);
  const parts: Box[][] = [[[0.995, 0.995, 0.005, 0.005]], [[0, 0, 0.005, 1]], many];
  for (const blur of parts) {
    for (const size of [320, "full"] as const) {
      const { path } = await renditions.file({ ...key, edit: { ...EDIT, blur } }, size);
      const { width, height } = await sharp(path).metadata();
      expect([width, height]).toEqual(size === 320 ? [320, 240] : [WIDTH, HEIGHT]);
    }
  }
  const { path } = await renditions.file({ ...key, edit: { ...EDIT, blur: many } }, "full");
  expect((await told(path, EDIT)).outside).toBeLessThan(0.5);
});

test("every picture of an animation is blurred", async () => {
  const frames = await Promise.all(
    [pattern(4), pattern(4).negate({ alpha: false })].map((frame) => frame.raw().toBuffer()),
  );
  const gif = await sharp(Buffer.concat(frames), {
    raw: { width: WIDTH, height: HEIGHT * 2, channels: 4, pageHeight: HEIGHT },
    animated: true,
  })
    .webp({ lossless: true, delay: [100, 100] })
    .toBuffer();
  const edit = { ...EDIT, blur: [PART] };
  const { path } = await renditions.file({ ...(await stored(gif)), edit }, "full");
  expect((await sharp(path, { animated: true }).metadata()).pages).toBe(2);
  for (const page of [0, 1]) {
    const { inside, outside } = await told(path, edit, page);
    expect(inside).toBeLessThan(NOTHING);
    expect(outside).toBeGreaterThan(0.8);
  }
});

test("a photo is blurred anew for each choice of parts", async () => {
  const key = await stored(await pattern().png().toBuffer());
  const copies = await Promise.all(
    [undefined, [PART], [[0.25, 0.125, 0.25, 0.2501]], [PART, PART]].map((blur) =>
      renditions.file({ ...key, edit: { ...EDIT, turn: 90, ...(blur && { blur: blur as Box[] }) } }, 320),
    ),
  );
  expect(new Set(copies.map(({ path }) => path)).size).toBe(4);
});
