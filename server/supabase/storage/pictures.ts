import { open, readFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Metadata, type Sharp } from "sharp";
import { decodeHeic } from "./heic.ts";

/** More pixels than any camera makes: a picture that claims more is a bomb. */
const MOST_PIXELS = 268_000_000;
/** Pixels decoded outside sharp lie in memory all at once, four bytes each. */
const MOST_HEIC_PIXELS = 64_000_000;
/** The frames of an animation lie in memory all at once too: of one with more pixels in all, the first is shown. */
const MOST_MOVING_PIXELS = 64_000_000;

/** A picture that can not be shown; the words may be. */
export class UnreadablePicture extends Error {
  constructor(options?: ErrorOptions) {
    super("This file is stored, but it can not be shown as a picture", options);
  }
}

/** What can be read of a damaged picture is shown. */
const reading = { limitInputPixels: MOST_PIXELS, failOn: "none" } as const;

/** Undefined for what nobody can measure. */
export async function measure(path: string): Promise<Measures | undefined> {
  try {
    const { autoOrient } = await sharp(path, reading).metadata();
    return { width: autoOrient.width, height: autoOrient.height };
  } catch {
    return undefined;
  }
}

/** Pixels as seen upright. */
export interface Measures {
  width: number;
  height: number;
}

/** What every copy of one picture is made from. */
export interface Picture {
  measures(): Promise<Measures>;
  /** A fresh pipeline whose pixels are upright; its output carries no metadata. */
  pixels(): Sharp;
}

/** Formats whose pages are the frames of an animation. */
const MOVING = new Set<string | undefined>(["gif", "webp"]);

/** A file's path, or all that is in it. */
type Source = string | Buffer;

/** Opens a picture that sharp or libheif can decode; rejects with {@link UnreadablePicture} otherwise. */
export async function openPicture(source: Source): Promise<Picture> {
  try {
    // A JPEG is what it says it is: nothing has to be known of it before it is decoded.
    if ((await beginning(source)).equals(JPEG)) return still(source);
    const facts = await sharp(source, reading).metadata();
    if (facts.format === "heif" && facts.compression === "hevc") {
      return await openHeic(typeof source === "string" ? await readFile(source) : source, facts);
    }
    const { width, height } = facts.autoOrient;
    const frames = facts.pages ?? 1;
    if (frames > 1 && MOVING.has(facts.format) && width * height * frames <= MOST_MOVING_PIXELS) {
      // Frames lie under each other, so turning them would mix them up; no animated format is stored turned.
      return { ...still(source), pixels: () => sharp(source, { ...reading, animated: true }) };
    }
    return still(source);
  } catch (cause) {
    throw new UnreadablePicture({ cause });
  }
}

/** How every JPEG begins. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The first bytes, as many as a JPEG is known by. */
async function beginning(source: Source): Promise<Buffer> {
  if (typeof source !== "string") return source.subarray(0, JPEG.length);
  const file = await open(source);
  const { buffer } = await file.read(Buffer.alloc(JPEG.length), 0, JPEG.length, 0).finally(() => file.close());
  return buffer;
}

const still = (source: Source): Picture => ({
  async measures() {
    const { autoOrient } = await sharp(source, reading).metadata();
    return { width: autoOrient.width, height: autoOrient.height };
  },
  pixels: () => sharp(source, reading).autoOrient(),
});

async function openHeic(bytes: Buffer, facts: Metadata): Promise<Picture> {
  if (facts.width * facts.height > MOST_HEIC_PIXELS) throw new Error("Too many pixels");
  // libheif has already turned the pixels upright, so their EXIF orientation is spent.
  const { width, height, data } = await decodeHeic(bytes);
  const raw = () => sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: MOST_PIXELS }).removeAlpha();
  const measures = async () => ({ width, height });
  if (!facts.icc) return { measures, pixels: raw };
  // Phones record Display P3: read as sRGB, every red would be dull.
  const png = withProfile(await raw().png({ compressionLevel: 0 }).toBuffer(), facts.icc);
  return { measures, pixels: () => sharp(png, { limitInputPixels: MOST_PIXELS }) };
}

/** Where a PNG's first chunk, its size in pixels, ends. */
const AFTER_HEADER = 33;

/** A PNG with a colour profile put in, which sharp can honour when it reads it but not be told for raw pixels. */
function withProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from("iCCPprofile\0\0", "latin1"), deflateSync(profile)]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([png.subarray(0, AFTER_HEADER), chunk, png.subarray(AFTER_HEADER)]);
}
