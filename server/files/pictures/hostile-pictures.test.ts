import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { box, png, pngChunk, word } from "../../../tests/support/boxes.ts";
import { folderCopies } from "../copy-store.ts";
import type { ObjectStore } from "../object-store.ts";
import type { Width } from "./copies.ts";
import { decodeHeic } from "./heic.ts";
import { pictureMetadata } from "./metadata.ts";
import { measure } from "./pictures.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

let folder: string;
let renditions: Renditions;
const bytes = new Map<string, Buffer>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-hostile-"));
  const store: Pick<ObjectStore, "source"> = { source: async ({ version }) => bytes.get(version) ?? "" };
  renditions = openRenditions(folderCopies(folder), store as ObjectStore);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function copyOf(picture: Buffer, size: Width = 320) {
  const version = randomUUID();
  bytes.set(version, picture);
  const { path } = await renditions.file({ bucket: "b", version }, size);
  return sharp(path, { animated: true });
}

test("a small PNG that claims ten thousand million pixels is refused before it is decoded", async () => {
  const bomb = png(100_000, 100_000, pngChunk("IDAT", deflateSync(Buffer.alloc(1000))));
  await expect(copyOf(bomb)).rejects.toThrow("cannot be shown");
});

test("a PNG with huge texts or a huge colour profile is shown without them, or refused", async () => {
  const swollen = deflateSync(Buffer.alloc(300 * 1024 * 1024), { level: 9 });
  const before = process.memoryUsage().rss;
  for (const type of ["iCCP", "zTXt"]) {
    const bomb = png(
      40,
      30,
      pngChunk(type, Buffer.concat([Buffer.from("x\0\0", "latin1"), swollen])),
      pngChunk("IDAT", deflateSync(Buffer.alloc((40 * 3 + 1) * 30))),
    );
    const outcome = await copyOf(bomb).then(
      (copy) => copy.metadata(),
      (error: Error) => error.message,
    );
    if (typeof outcome === "string") expect(outcome).toContain("cannot be shown");
    else expect([outcome.width, outcome.height]).toEqual([40, 30]);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("a PNG with many texts that unpack to a gigabyte is shown without them, and one with long texts keeps its own", async () => {
  const pixels = pngChunk("IDAT", deflateSync(Buffer.alloc((40 * 3 + 1) * 30)));
  const text = (type: "zTXt" | "iTXt", value: Buffer) =>
    pngChunk(
      type,
      Buffer.concat([Buffer.from(type === "zTXt" ? "x\0\0" : "x\0\x01\0\0\0", "latin1"), deflateSync(value)]),
    );
  for (const type of ["zTXt", "iTXt"] as const) {
    const bomb = png(40, 30, ...new Array<Buffer>(50).fill(text(type, Buffer.alloc(20 * 1024 * 1024, "a"))), pixels);
    const before = process.memoryUsage.rss();
    expect((await (await copyOf(bomb)).metadata()).width).toBe(40);
    expect((await pictureMetadata(bomb)).comments ?? []).toEqual([]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
    const honest = png(
      40,
      30,
      text(type, Buffer.alloc(3 * 1024 * 1024, "a")),
      text(type, Buffer.from("Nonna")),
      pixels,
    );
    expect((await pictureMetadata(honest)).comments?.map((comment) => comment.text.length)).toEqual([
      3 * 1024 * 1024,
      5,
    ]);
  }
});

test("of a JPEG XL or JPEG 2000 with hundreds of descriptions, one is read", async () => {
  const swollen = brotliCompressSync(Buffer.alloc(3 * 1024 * 1024));
  const before = process.memoryUsage.rss();
  const signature = box("JXL ", "\r\n\x87\n");
  const packed = new Array<Buffer>(500).fill(box("brob", "Exif", swollen));
  const jpegXl = await pictureMetadata(Buffer.concat([signature, box("ftyp", "jxl ", word(0), "jxl "), ...packed]));
  expect(jpegXl.exif).toHaveLength(1);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
  const exif = new Array<Buffer>(500).fill(box("uuid", "JpgTiffExif->JP2", "II*\0", word(0)));
  const beginning = [box("jP  ", "\r\n\x87\n"), box("ftyp", "jp2 ", word(0), "jp2 ")];
  expect((await pictureMetadata(Buffer.concat([...beginning, ...exif]))).exif).toHaveLength(1);
});

/** A GIF with so many frames and this canvas; each frame is one pixel, alternating black and white. */
function gif(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = (pixel: string) =>
    Buffer.from(`!\xf9\x04\0\x05\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02${pixel}\x01\0`, "latin1");
  const [black, white] = [frame("D"), frame("L")];
  return Buffer.concat([
    screen,
    ...Array.from({ length: frames }, (_, n) => (n % 2 ? white : black)),
    Buffer.from(";"),
  ]);
}

test("an animation of thousands of large frames becomes its first frame, and a small one stays animated", async () => {
  const long = await (await copyOf(gif(500, 500, 5000), 1600)).metadata();
  expect([long.pages ?? 1, long.width]).toEqual([1, 500]);
  const short = await (await copyOf(gif(50, 40, 30), 1600)).metadata();
  expect([short.pages, short.width, short.pageHeight]).toEqual([30, 50, 40]);
});

test.each([
  ["claims more frames than it has", 4_000_000_000, 2, 40, 30],
  ["has a frame larger than itself", 2, 2, 4000, 30],
  ["has a frame at an impossible place", 2, 2, 40, 0xffff_fff0],
  ["has thousands of frames without pixels", 6000, 6000, 40, 30],
])("an animated PNG that %s becomes its first frame", async (_what, claimed, frames, width, at) => {
  const [control, count] = [Buffer.alloc(26), Buffer.alloc(8)];
  count.writeUInt32BE(claimed, 0);
  control.writeUInt32BE(width, 4);
  control.writeUInt32BE(30, 8);
  control.writeUInt32BE(at === 30 ? 0 : at, 16);
  const data = deflateSync(Buffer.alloc((40 * 3 + 1) * 30));
  const bytes = png(
    40,
    30,
    pngChunk("acTL", count),
    pngChunk("fcTL", control),
    pngChunk("IDAT", data),
    ...Array.from({ length: frames - 1 }, () => pngChunk("fcTL", control)),
  );
  const copy = await (await copyOf(bytes, 1600)).metadata();
  expect([copy.pages ?? 1, copy.width, copy.height]).toEqual([1, 40, 30]);
});

/** A HEIC file whose picture claims this size but has no pixels. */
function emptyHeic(width: number, height: number): Buffer {
  const full = (type: string, ...contents: Buffer[]) => box(type, word(0), ...contents);
  const codec = Buffer.alloc(23);
  codec[0] = 1;
  return Buffer.concat([
    box("ftyp", Buffer.from("heic\0\0\0\0mif1heic")),
    full(
      "meta",
      full("hdlr", word(0), Buffer.from("pict"), Buffer.alloc(13)),
      full("pitm", Buffer.from([0, 1])),
      full("iinf", Buffer.from([0, 1]), box("infe", Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), Buffer.from("hvc1\0"))),
      full("iloc", Buffer.from([0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]), word(0), word(8)),
      box(
        "iprp",
        box("ipco", box("hvcC", codec), full("ispe", word(width), word(height))),
        full("ipma", word(1), Buffer.from([0, 1, 2, 0x81, 2])),
      ),
    ),
    box("mdat", Buffer.alloc(8)),
  ]);
}

test("a HEIC that claims nine hundred million pixels is refused, and so is one without any", async () => {
  for (const picture of [emptyHeic(30_000, 30_000), emptyHeic(400, 300)]) {
    await expect(copyOf(picture)).rejects.toThrow("cannot be shown");
  }
});

test("a thread that crashes on a broken HEIC is replaced", async () => {
  const broken = emptyHeic(400, 300);
  await Promise.all(Array.from({ length: 4 }, () => expect(decodeHeic(broken)).rejects.toThrow()));
});

test("a truncated JPEG is shown up to its last byte", async () => {
  const { data } = await sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: "#c04020",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer({ resolveWithObject: true });
  const copy = await copyOf(data.subarray(0, Math.floor(data.length / 2)));
  const { channels } = await copy.clone().extract({ left: 0, top: 0, width: 320, height: 60 }).stats();
  expect(channels[0]?.stdev).toBeGreaterThan(5);
});

test("colours of a wide profile become the same colours in sRGB", async () => {
  // A red within sRGB, encoded in Display P3.
  const wide = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#c83232" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const { channels } = await (await copyOf(wide)).stats();
  const [red, green, blue] = channels.map(({ mean }) => mean);
  expect([red, green, blue].map((value, i) => Math.abs((value ?? 0) - ([200, 50, 50][i] ?? 0)) < 6)).toEqual([
    true,
    true,
    true,
  ]);
});

test("a missing file has no dimensions", async () => {
  expect(await measure(join(folder, "nothing"))).toBeUndefined();
});
