import { existsSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

const root = new URL("../..", import.meta.url).pathname;
const corpus = join(root, "../shared/corpus/broken");
const made = join(root, ".cache/broken");

/** Paths of broken files in the order of their names: those of the corpus where it exists, else made ones of the same names. */
export async function brokenFiles(): Promise<string[]> {
  if (!existsSync(corpus)) await make();
  const folder = existsSync(corpus) ? corpus : made;
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

async function make() {
  await mkdir(made, { recursive: true });
  const picture = sharp({ create: { width: 640, height: 480, channels: 3, background: "teal", noise: NOISE } });
  const [jpeg, png] = await Promise.all([picture.clone().jpeg().toBuffer(), picture.clone().png().toBuffer()]);
  const half = Math.floor(jpeg.length / 2);
  const files = {
    "corrupted.jpg": Buffer.concat([jpeg.subarray(0, half), Buffer.alloc(half, 0x55)]),
    "invalid-exif-2.jpg": withExif(jpeg, Buffer.alloc(40, 0xff)),
    "invalid-exif.jpg": withExif(jpeg, Buffer.from("MM\0*\0\0\xff\xff", "latin1")),
    "svg-is-not-a-photo.svg": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "truncated.png": png.subarray(0, Math.floor(png.length / 2)),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(made, name), bytes);
}

const NOISE = { type: "gaussian", mean: 128, sigma: 30 } as const;

/** A JPEG with these bytes as its EXIF block. */
function withExif(jpeg: Buffer, tiff: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}
