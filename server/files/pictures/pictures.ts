import { open, readFile } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { plausibleSide } from "../../../shared/file-numbers.ts";
import { MOST_PAGES } from "../../../shared/paper-format.ts";
import { decodeAnimatedPng, pngFrames } from "./animated-png.ts";
import { type AvifSequence, avifSequence, type DecodeSequence } from "./avif-sequence.ts";
import {
  ANIMATION_BYTES,
  decodingBytes,
  HDR_BYTES_PER_PIXEL,
  MOST_ANIMATED_PIXELS,
  MOST_DECODING_BYTES,
  MOST_PIXELS,
} from "./decoding-bytes.ts";
import { decodeHdr, foreignPicture } from "./foreign.ts";
import { type HdrColours, hdrColours } from "./hdr.ts";
import { decodeHeic } from "./heic.ts";
import { heifOrientation } from "./heif-orientation.ts";
import { withoutSwollenTexts } from "./png-texts.ts";
import type { ForeignPicture, Size, Source } from "./sources.ts";
import { hasTooManyPages } from "./tiff-pages.ts";

/** A picture that cannot be shown. Its message may be shown to people. */
export class UnreadablePictureError extends Error {
  constructor(options?: ErrorOptions) {
    super("This file is stored, but it cannot be shown as a picture", options);
  }
}

/** The damage that makes decoding fail: none for a best-effort copy, missing data for the examination. */
export type Strictness = "none" | "truncated";

const reading = (strictness: Strictness | "error" = "none") =>
  ({ limitInputPixels: MOST_PIXELS, failOn: strictness, sequentialRead: true }) as const;

/** What libvips says of missing data: of a TIFF it is an error, of others a truncation. */
const failingOn = (strictness: Strictness, { isTiff }: Pick<PictureHeader, "isTiff">) =>
  isTiff && strictness === "truncated" ? "error" : strictness;

/** Returns the upright size of a picture; undefined for a file without a readable size. */
export async function measure(path: string): Promise<Size | undefined> {
  try {
    const foreign = await foreignPicture(path);
    const facts = foreign ?? (await sharp(await readable(path), reading()).metadata());
    const upright = uprightSize(facts, foreign ? foreign.orientation : await orientationOf(path, facts as Metadata));
    const [width, height] = [plausibleSide(upright.width), plausibleSide(upright.height)];
    return width && height ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

/** The EXIF orientation by which decoded pixels must be turned. */
const orientationOf = (source: Source, { format, exif, orientation = 1 }: Metadata): Promise<number> | number =>
  format === "heif" ? heifOrientation(source, exif) : orientation;

/** EXIF orientations from 5 on exchange width and height. */
const isTurned = (orientation: number) => orientation > 4;

const uprightSize = ({ width, height }: Size, orientation: number): Size =>
  isTurned(orientation) ? { width: height, height: width } : { width, height };

/** The header of a picture. */
export interface PictureHeader extends Size {
  /** The peak memory of decoding in bytes. */
  decodingBytes: number;
  /** Decoded by libheif in WebAssembly, since sharp has no HEVC decoder. */
  hevc: boolean;
  /** Decoded by other decoders than sharp's, or the preview of a raw photo. */
  isForeign: boolean;
  animated: boolean;
  /** sharp reads only the first frame of an animated PNG. */
  isPng: boolean;
  isTiff: boolean;
  /** Of an animated AVIF, of which sharp reads only the first frame. */
  sequence: AvifSequence | undefined;
  /** Whether it is stored rotated by a quarter. */
  turned: boolean;
  /** Of a HEIC, AVIF or foreign picture: the EXIF orientation that its decoder does not apply. */
  orientation: number;
  icc: Buffer | undefined;
  /** Whether sharp decodes it with a colour profile and 16 bits per sample. */
  isDeep: boolean;
  /** Of a picture in HDR without a colour profile. */
  hdr: HdrColours | undefined;
  /** The number of pages of a paper that can be shown; undefined for any other picture. */
  pages?: number | undefined;
  /** The page that this is the header of, from 1 on. */
  page: number;
}

/** A decoder of one picture. */
export interface Picture extends Size {
  animated: boolean;
  turned: boolean;
  /** A fresh pipeline whose pixels are upright; its output carries no metadata. Of an animation, the first frame. */
  pixels(): Sharp;
  /** All frames of an animation. */
  moving?(): Promise<Sharp>;
}

/** Formats whose pages are the frames of an animation. */
const ANIMATED = new Set<string | undefined>(["gif", "webp"]);
/** Formats whose frames are raw pixels before they are encoded. */
const ANIMATED_BY_US = new Set<string | undefined>(["png", "heif"]);

/**
 * Reads only the header of a picture, or of a page of a paper; `moves` tells whether an AVIF can be decoded as an animation.
 * Rejects with {@link UnreadablePictureError} if the file is no picture or has no such page, or decoding it would need too
 * much memory.
 */
export async function readHeader(original: Source, page = 1, moves = false): Promise<PictureHeader> {
  const foreign = await foreignPicture(original, page).catch((cause: unknown) => {
    throw new UnreadablePictureError({ cause });
  });
  if (foreign) return foreignHeader(foreign, page);
  const first = await factsOf(original);
  const pages = await tiffPages(original, first);
  if (page > (pages ?? 1)) throw new UnreadablePictureError({ cause: new Error("There is no such page") });
  const facts = page === 1 ? first : await factsOf(original, page);
  const isAnimated = await isAnimation(original, facts);
  const hdr = isAnimated || facts.icc ? undefined : await hdrColours(original, facts.format);
  const orientation = await orientationOf(original, facts);
  const sequence = moves && !hdr && orientation === 1 ? await movingAvif(original, facts) : undefined;
  const animated = isAnimated || sequence !== undefined;
  const bytes =
    decodingBytes(facts) +
    (animated && ANIMATED_BY_US.has(facts.format) ? ANIMATION_BYTES : 0) +
    (hdr ? facts.width * facts.height * HDR_BYTES_PER_PIXEL : 0);
  checkSize(facts, bytes);
  return {
    ...uprightSize(facts, orientation),
    decodingBytes: bytes,
    hevc: facts.format === "heif" && facts.compression === "hevc",
    isForeign: false,
    animated,
    isPng: facts.format === "png",
    isTiff: facts.format === "tiff",
    sequence,
    turned: isTurned(orientation),
    orientation: facts.format === "heif" ? orientation : 1,
    icc: facts.icc,
    isDeep: isDeep(facts),
    hdr,
    pages,
    page,
  };
}

/** What sharp reads of a picture's header, or of that of a TIFF's page. */
const factsOf = async (source: Source, page?: number): Promise<Metadata> =>
  sharp(await readable(source), { ...reading(), ...ofPage(page) })
    .metadata()
    .catch((cause: unknown) => {
      throw new UnreadablePictureError({ cause });
    });

/** Only a TIFF is opened at a page: those of other formats are frames. */
const ofPage = (page = 1) => (page > 1 ? { page: page - 1 } : undefined);

/** The number of pages of a TIFF; undefined if it has one, or if the second is a small copy or a mask of the first. */
async function tiffPages(source: Source, { format, pages = 1, width, height }: Metadata): Promise<number | undefined> {
  if (format !== "tiff" || pages < 2) return undefined;
  const second = await factsOf(source, 2).catch(() => undefined);
  const isPage = second && Math.max(second.width, second.height) * 2 >= Math.max(width, height);
  return isPage ? Math.min(pages, MOST_PAGES) : undefined;
}

function foreignHeader(picture: ForeignPicture, page: number): PictureHeader {
  const { orientation, decodingBytes: bytes, pages } = picture;
  if (page > (pages ?? 1)) throw new UnreadablePictureError({ cause: new Error("There is no such page") });
  checkSize(picture, bytes);
  return {
    ...uprightSize(picture, orientation),
    decodingBytes: bytes,
    hevc: false,
    isForeign: true,
    animated: false,
    isPng: false,
    isTiff: false,
    sequence: undefined,
    turned: isTurned(orientation),
    orientation,
    icc: undefined,
    isDeep: false,
    hdr: undefined,
    pages,
    page,
  };
}

const isDeep = ({ depth, icc }: Metadata) => depth === "ushort" && icc !== undefined;

/** Converts to sRGB. By itself, sharp leaves the colours of a picture that is deep in another space, Display P3. */
const inSrgb = (pixels: Sharp, deep: boolean): Sharp =>
  deep ? pixels.toColourspace("srgb").withIccProfile("srgb", { attach: false }) : pixels.toColourspace("srgb");

/** Rejects a picture that would need too much memory. */
function checkSize({ width, height }: Size, bytes: number): void {
  if (width * height > MOST_PIXELS || bytes > MOST_DECODING_BYTES) {
    throw new UnreadablePictureError({ cause: new Error(`Decoding would take ${bytes} bytes`) });
  }
}

/** Whether it has several frames, of which there are not too many to decode at once. */
async function isAnimation(source: Source, { format, pages = 1, width, height }: Metadata): Promise<boolean> {
  const frames = format === "png" ? await pngFrames(source) : ANIMATED.has(format) ? pages : 1;
  return frames > 1 && width * height * frames <= MOST_ANIMATED_PIXELS;
}

/**
 * The animation of an AVIF that is not too large. One with a colour profile or another size than its still picture stands
 * still: its frames are decoded without both.
 */
async function movingAvif(source: Source, { format, icc, width, height }: Metadata): Promise<AvifSequence | undefined> {
  const sequence = format === "heif" && !icc ? await avifSequence(source) : undefined;
  if (sequence?.width !== width || sequence.height !== height) return undefined;
  const frames = sequence.delay.length;
  return frames > 1 && width * height * frames <= MOST_ANIMATED_PIXELS ? sequence : undefined;
}

/** The brand of an AVIF sequence. libvips knows only that of a single picture, which replaces it. */
const SEQUENCE = Buffer.from("ftypavis");
const SEQUENCE_AT = 4;

/**
 * Returns the source for sharp: of an AVIF sequence its first picture, and a PNG without texts that would fill the memory.
 * Rejects a TIFF that would take long to open.
 */
export async function readable(original: Source): Promise<Source> {
  const source = await withoutSwollenTexts(original);
  if (await hasTooManyPages(source)) throw new UnreadablePictureError({ cause: new Error("It has too many pages") });
  const beginning = typeof source === "string" ? await beginningOf(source) : source;
  if (!beginning.subarray(SEQUENCE_AT, SEQUENCE_AT + SEQUENCE.length).equals(SEQUENCE)) return source;
  const bytes = typeof source === "string" ? await readFile(source) : Buffer.from(source);
  bytes.write("avif", SEQUENCE_AT + 4, "latin1");
  return bytes;
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  const length = SEQUENCE_AT + SEQUENCE.length;
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, 0).finally(() => file.close());
  return buffer;
}

/** Opens a picture for decoding; rejects with {@link UnreadablePictureError} if libheif cannot decode it. */
export async function openPicture(
  original: Source,
  header: PictureHeader,
  strictness: Strictness,
  decodeSequence?: DecodeSequence,
): Promise<Picture> {
  if (header.isForeign) return openForeign(original, header, strictness);
  const source = await readable(original);
  const { width, height, animated, turned, orientation, hevc, icc, hdr } = header;
  if (hevc || hdr) {
    const bytes = typeof source === "string" ? await readFile(source) : source;
    const decoded = await (hevc || !hdr ? decodeHeic(bytes, icc, hdr) : decodeHdr(bytes, hdr)).catch(
      (cause: unknown) => {
        throw new UnreadablePictureError({ cause });
      },
    );
    const pixels = () => upright(inSrgb(sharp(decoded.tiff, reading()), hdr !== undefined), orientation);
    return { ...uprightSize(decoded, orientation), animated: false, turned, pixels };
  }
  const pixels = () =>
    upright(
      inSrgb(
        sharp(source, { ...reading(failingOn(strictness, header)), ...ofPage(header.page) }).autoOrient(),
        header.isDeep,
      ),
      orientation,
    );
  if (!animated) return { width, height, animated, turned, pixels };
  // The frames of an animation lie below each other, so a rotation would mix them. No animation is stored rotated.
  const { sequence, isPng } = header;
  const ofSharp = async () => sharp(source, { ...reading(strictness), animated: true });
  const ofAvif = sequence && decodeSequence && (() => movingFrames(sequence, decodeSequence(original, sequence)));
  const moving = ofAvif ?? (isPng ? () => movingPng(source) : ofSharp);
  return { width, height, animated, turned, pixels, moving };
}

async function openForeign(original: Source, header: PictureHeader, strictness: Strictness): Promise<Picture> {
  const decode = async () => (await foreignPicture(original, header.page))?.decode();
  const decoded = await decode().catch((cause: unknown) => {
    throw new UnreadablePictureError({ cause });
  });
  if (!decoded) throw new UnreadablePictureError({ cause: new Error("The file has changed") });
  const { width, height, turned, orientation } = header;
  const deep = isDeep(await sharp(decoded, reading(strictness)).metadata());
  const pixels = () => upright(inSrgb(sharp(decoded, reading(strictness)), deep), orientation);
  return { width, height, animated: false, turned, pixels };
}

/** All frames of a PNG; rejects with {@link UnreadablePictureError} if one is damaged. */
async function movingPng(source: Source): Promise<Sharp> {
  const bytes = typeof source === "string" ? await readFile(source) : source;
  const frames = await decodeAnimatedPng(bytes, MOST_ANIMATED_PIXELS).catch((cause: unknown) => {
    throw new UnreadablePictureError({ cause });
  });
  return movingFrames(frames, frames.pixels);
}

/** An animation of raw frames in RGBA; rejects with {@link UnreadablePictureError} if one is damaged or absent. */
async function movingFrames(
  { width, height, delay, loop }: Size & { delay: number[]; loop: number },
  decoding: Buffer | Promise<Buffer>,
): Promise<Sharp> {
  const pixels = await Promise.resolve(decoding).catch((cause: unknown) => {
    throw new UnreadablePictureError({ cause });
  });
  if (pixels.length !== width * height * 4 * delay.length)
    throw new UnreadablePictureError({ cause: new Error("A frame is damaged") });
  const raw = { width, height: height * delay.length, channels: 4, pageHeight: height } as const;
  return sharp(pixels, { raw, animated: true, limitInputPixels: MOST_PIXELS }).webp({ delay, loop });
}

/** Turns the pixels of a HEIC or AVIF by an EXIF orientation. */
function upright(pixels: Sharp, orientation: number): Sharp {
  if (orientation === 1) return pixels;
  const rotated = isTurned(orientation) ? pixels.rotate(orientation === 8 ? 270 : 90) : pixels;
  if (orientation === 3) return rotated.rotate(180);
  // sharp mirrors before it rotates.
  if (orientation === 2 || orientation === 7) return rotated.flop();
  return orientation === 4 || orientation === 5 ? rotated.flip() : rotated;
}
