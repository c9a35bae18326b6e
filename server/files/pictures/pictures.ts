import { open, readFile } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { plausibleSide } from "../../../shared/file-numbers.ts";
import { decodingBytes, MOST_ANIMATED_PIXELS, MOST_DECODING_BYTES, MOST_PIXELS } from "./decoding-bytes.ts";
import { decodeHeic } from "./heic.ts";

/** A picture that cannot be shown. Its message may be shown to people. */
export class UnreadablePictureError extends Error {
  constructor(options?: ErrorOptions) {
    super("This file is stored, but it can not be shown as a picture", options);
  }
}

/** The damage that makes decoding fail: none for a best-effort copy, missing data for the examination. */
export type Strictness = "none" | "truncated";

const reading = (strictness: Strictness = "none") =>
  ({ limitInputPixels: MOST_PIXELS, failOn: strictness, sequentialRead: true }) as const;

/** Returns the upright size of a picture; undefined for a file without a readable size. */
export async function measure(path: string): Promise<Size | undefined> {
  try {
    const { autoOrient } = await sharp(await readable(path), reading()).metadata();
    const [width, height] = [plausibleSide(autoOrient.width), plausibleSide(autoOrient.height)];
    return width && height ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

/** Pixels as seen upright. */
export interface Size {
  width: number;
  height: number;
}

/** The header of a picture. */
export interface PictureHeader extends Size {
  /** The peak memory of decoding in bytes. */
  decodingBytes: number;
  /** Decoded by libheif in WebAssembly, since sharp has no HEVC decoder. */
  hevc: boolean;
  animated: boolean;
  /** Whether it is stored rotated by a quarter. */
  turned: boolean;
  icc: Buffer | undefined;
}

/** A decoder of one picture. */
export interface Picture extends Size {
  animated: boolean;
  turned: boolean;
  /** A fresh pipeline whose pixels are upright; its output carries no metadata. */
  pixels(): Sharp;
}

/** Formats whose pages are the frames of an animation. */
const ANIMATED = new Set<string | undefined>(["gif", "webp"]);

/** The path of a file, or its content. */
export type Source = string | Buffer;

/**
 * Reads only the header of a picture. Rejects with {@link UnreadablePictureError} if the file is no picture, or
 * decoding it would need too much memory.
 */
export async function readHeader(original: Source): Promise<PictureHeader> {
  const facts = await sharp(await readable(original), reading())
    .metadata()
    .catch((cause: unknown) => {
      throw new UnreadablePictureError({ cause });
    });
  const bytes = decodingBytes(facts);
  if (facts.width * facts.height > MOST_PIXELS || bytes > MOST_DECODING_BYTES) {
    throw new UnreadablePictureError({ cause: new Error(`Decoding would take ${bytes} bytes`) });
  }
  return {
    ...facts.autoOrient,
    decodingBytes: bytes,
    hevc: facts.format === "heif" && facts.compression === "hevc",
    animated: isAnimation(facts),
    turned: (facts.orientation ?? 1) > 4,
    icc: facts.icc,
  };
}

const isAnimation = ({ format, pages = 1, width, height }: Metadata) =>
  pages > 1 && ANIMATED.has(format) && width * height * pages <= MOST_ANIMATED_PIXELS;

/** The brand of an AVIF sequence. libvips knows only that of a single picture, which replaces it. */
const SEQUENCE = Buffer.from("ftypavis");
const SEQUENCE_AT = 4;

/** Returns the source for sharp; for an AVIF sequence, its first picture. */
async function readable(source: Source): Promise<Source> {
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
export async function openPicture(original: Source, header: PictureHeader, strictness: Strictness): Promise<Picture> {
  const source = await readable(original);
  const { width, height, animated, turned, hevc, icc } = header;
  if (hevc) {
    const bytes = typeof source === "string" ? await readFile(source) : source;
    const decoded = await decodeHeic(bytes, icc).catch((cause: unknown) => {
      throw new UnreadablePictureError({ cause });
    });
    // libheif returns upright pixels.
    return { ...decoded, animated: false, turned: false, pixels: () => sharp(decoded.tiff, reading()) };
  }
  // The frames of an animation lie below each other, so a rotation would mix them. No animation is stored rotated.
  const pixels = animated
    ? () => sharp(source, { ...reading(strictness), animated: true })
    : () => sharp(source, reading(strictness)).autoOrient();
  return { width, height, animated, turned, pixels };
}
