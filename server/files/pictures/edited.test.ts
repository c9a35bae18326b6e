import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editedSize, type PhotoEdit, turned } from "../../../shared/photo-edit.ts";
import { HEIC_PICTURES } from "../../../tests/support/heic-pictures.ts";
import { tiffRaw } from "../../../tests/support/raw-photos.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { type CopySize, isOfOtherEdit } from "./copies.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

let folder: string;
let renditions: Renditions;
const copies = () => folderCopies(join(folder, "renditions"));
const paths = new Map<string, string>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-edited-"));
  const source: ObjectStore["source"] = async ({ version }) => paths.get(version) ?? "";
  renditions = openRenditions(copies(), { source } as ObjectStore);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stored(bytes: Buffer) {
  const version = randomUUID();
  paths.set(version, join(folder, version));
  await writeFile(join(folder, version), bytes);
  return { bucket: "media", version };
}

const EDIT: PhotoEdit = { turn: 0, straighten: 0, crop: [0, 0, 1, 1] };
const QUARTERS = ["red", "lime", "blue", "yellow"] as const;
const RGB = { red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255], yellow: [255, 255, 0] };

/** A picture of four quarters: red, lime; blue, yellow. */
const quarters = (width = 240, height = 160) => {
  const [w, h] = [width / 2, height / 2];
  const rects = QUARTERS.map(
    (colour, at) =>
      `<rect x="${(at % 2) * w}" y="${Math.floor(at / 2) * h}" width="${w}" height="${h}" fill="${colour}"/>`,
  );
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rects.join("")}</svg>`),
  )
    .flatten()
    .toColourspace("srgb");
};

/** The colours of the quarters of a copy, from the top left, and its size. */
async function seen(key: Awaited<ReturnType<typeof stored>>, edit: PhotoEdit | null, size: CopySize = 320, page = 0) {
  const { path } = await renditions.file({ ...key, edit }, size);
  const { data, info } = await sharp(path, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const distance = (name: keyof typeof RGB) =>
      RGB[name].reduce((sum, part, channel) => sum + Math.abs(part - (data[at + channel] ?? 0)), 0);
    return QUARTERS.reduce((best, name) => (distance(name) < distance(best) ? name : best));
  };
  const colours = [colourAt(0.25, 0.25), colourAt(0.75, 0.25), colourAt(0.25, 0.75), colourAt(0.75, 0.75)];
  return { colours, width: info.width, height: info.height };
}

/** The quarters of an upright picture turned clockwise. */
const TURNED = {
  0: ["red", "lime", "blue", "yellow"],
  90: ["blue", "red", "yellow", "lime"],
  180: ["yellow", "blue", "lime", "red"],
  270: ["lime", "yellow", "red", "blue"],
};

/** A file whose pixels an EXIF orientation turns into the upright picture. */
async function oriented(orientation: number): Promise<Buffer> {
  const { data, info } = await quarters().raw().toBuffer({ resolveWithObject: true });
  const upright = sharp(data, { raw: info });
  const back = {
    1: () => upright,
    2: () => upright.flop(),
    3: () => upright.rotate(180),
    4: () => upright.flip(),
    // sharp mirrors before it rotates.
    5: () => upright.flop().rotate(270),
    6: () => upright.rotate(270),
    7: () => upright.flop().rotate(90),
    8: () => upright.rotate(90),
  }[orientation];
  if (!back) throw new Error("No such orientation");
  const turnedBack = await back().raw().toBuffer({ resolveWithObject: true });
  return sharp(turnedBack.data, { raw: turnedBack.info })
    .withMetadata({ orientation })
    .jpeg({ quality: 95 })
    .toBuffer();
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8])("a JPEG with the EXIF orientation %i", (orientation) => {
  test.each([0, 90, 180, 270] as const)("turned by %i degrees, shows its quarters turned so", async (turn) => {
    const key = await stored(await oriented(orientation));
    const edit = turn === 0 ? null : { ...EDIT, turn };
    const [width, height] = turn % 180 === 0 ? [240, 160] : [160, 240];
    expect(await seen(key, edit)).toEqual({ colours: TURNED[turn], width, height });
    expect(await seen(key, edit, "full")).toEqual({ colours: TURNED[turn], width, height });
  });
});

test.each([
  ["PNG", () => quarters().png()],
  ["WebP", () => quarters().webp()],
  ["TIFF", () => quarters().tiff()],
  ["AVIF", () => quarters().avif({ quality: 80 })],
  ["GIF", () => quarters().gif()],
  ["16-bit PNG", () => quarters().toColourspace("rgb16").png()],
])("a %s is turned", async (_name, make) => {
  const key = await stored(await make().toBuffer());
  expect(await seen(key, { ...EDIT, turn: 90 })).toEqual({ colours: TURNED[90], width: 160, height: 240 });
});

test("grey, transparent and CMYK pictures are turned", async () => {
  for (const make of [
    quarters().toColourspace("b-w").jpeg(),
    quarters().ensureAlpha(0.5).png(),
    quarters().toColourspace("cmyk").jpeg(),
  ]) {
    const { path } = await renditions.file(
      { ...(await stored(await make.toBuffer())), edit: { ...EDIT, turn: 270 } },
      320,
    );
    expect(await sharp(path).metadata()).toMatchObject({ width: 160, height: 240 });
  }
});

test("every frame of an animation is turned, at its own time", async () => {
  const frame = async (picture: Sharp) => picture.ensureAlpha().raw().toBuffer();
  const [one, other] = [await frame(quarters()), await frame(quarters().rotate(180))];
  const gif = await sharp(Buffer.concat([one, other]), {
    raw: { width: 240, height: 320, channels: 4, pageHeight: 160 },
    animated: true,
  })
    .gif({ delay: [120, 480], loop: 3 })
    .toBuffer();
  const key = await stored(gif);
  const edit: PhotoEdit = { ...EDIT, turn: 90 };
  const { path } = await renditions.file({ ...key, edit }, 1600);
  expect(await sharp(path).metadata()).toMatchObject({ pages: 2, delay: [120, 480], loop: 3, width: 160, height: 240 });
  expect((await seen(key, edit, 1600, 0)).colours).toEqual(TURNED[90]);
  expect((await seen(key, edit, 1600, 1)).colours).toEqual(TURNED[270]);
  expect((await seen(key, edit, 320)).colours).toEqual(TURNED[90]);
});

test("a HEIC and the preview of a raw photo are turned", async () => {
  for (const bytes of [HEIC_PICTURES.burst, await tiffRaw()]) {
    const key = await stored(bytes);
    const plain = await sharp((await renditions.file(key, 320)).path).metadata();
    const { path } = await renditions.file({ ...key, edit: { ...EDIT, turn: 90 } }, "full");
    const { width, height } = await sharp(path).metadata();
    expect(width / height).toBeCloseTo(plain.height / plain.width, 1);
  }
});

test("a crop shows its part, in the part's own pixels and never enlarged", async () => {
  const key = await stored(await quarters(2400, 1600).jpeg().toBuffer());
  const edit: PhotoEdit = { ...EDIT, crop: [0.5, 0, 0.5, 0.5] };
  expect(await seen(key, edit)).toEqual({ colours: ["lime", "lime", "lime", "lime"], width: 320, height: 213 });
  expect(await seen(key, edit, 1600)).toMatchObject({ width: 1200, height: 800 });
  expect(await seen(key, { ...EDIT, turn: 90, crop: [0, 0, 0.5, 0.5] }, "full")).toEqual({
    colours: ["blue", "blue", "blue", "blue"],
    width: 800,
    height: 1200,
  });
});

test.each([-45, -12.5, -0.1, 0.1, 3, 45])("straightening by %f degrees leaves no empty corner", async (straighten) => {
  const white = sharp({ create: { width: 600, height: 400, channels: 3, background: "#fff" } });
  const key = await stored(await white.png().toBuffer());
  const edit: PhotoEdit = { ...EDIT, straighten };
  const { path } = await renditions.file({ ...key, edit }, 640);
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject(editedSize({ width: 600, height: 400 }, edit));
  expect(data.reduce((least, part) => Math.min(least, part), 255)).toBeGreaterThan(240);
});

test("straightening turns clockwise about the middle", async () => {
  // A horizontal line through the middle falls to the right.
  const line = sharp({ create: { width: 600, height: 600, channels: 3, background: "#000" } }).composite([
    { input: { create: { width: 600, height: 10, channels: 3, background: "#fff" } }, left: 0, top: 295 },
  ]);
  const key = await stored(await line.png().toBuffer());
  const { path } = await renditions.file({ ...key, edit: { ...EDIT, straighten: 10 } }, 640);
  const { data, info } = await sharp(path).greyscale().raw().toBuffer({ resolveWithObject: true });
  const brightest = (x: number) => {
    const column = Array.from({ length: info.height }, (_, y) => data[y * info.width + x] ?? 0);
    return column.indexOf(Math.max(...column)) / info.height;
  };
  expect(brightest(10)).toBeLessThan(0.45);
  expect(brightest(info.width - 10)).toBeGreaterThan(0.55);
});

test("a panorama is turned, and its high copies stay within the limits of WebP", async () => {
  const key = await stored(await quarters(20_000, 400).jpeg().toBuffer());
  const { path } = await renditions.file({ ...key, edit: { ...EDIT, turn: 90 } }, 320);
  const { width, height } = await sharp(path).metadata();
  expect([width, height]).toEqual([320, 16_000]);
  expect(await seen(key, { ...EDIT, crop: [0, 0, 0.05, 0.05] })).toMatchObject({ width: 320, height: 6 });
});

test("copies of another edit have names of their own, and those of the file stay when they are removed", async () => {
  const key = await stored(await quarters().jpeg().toBuffer());
  const [first, second] = [turned(null, 90), turned(null, 180)];
  for (const edit of [null, first, second]) await renditions.file({ ...key, edit }, 320);
  await copies().removeWhere(key.version, (name) => isOfOtherEdit(name, second));
  expect(await readdir(join(folder, "renditions", key.version))).toEqual(["320.webp", "edit-180_0_0_0_1_1-320.webp"]);
  expect((await seen(key, first)).colours).toEqual(TURNED[90]);
});
