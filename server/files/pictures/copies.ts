import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { editKey } from "../../../shared/edit-key.ts";
import type { PhotoEdit } from "../../../shared/photo-edit.ts";
import { type Picture, type PictureHeader, UnreadablePictureError } from "./pictures.ts";

/** The only allowed widths in pixels; arbitrary ones would be a way to fill the disk. */
export const WIDTHS = [320, 640, 960, 1600, 2560] as const;
export type Width = (typeof WIDTHS)[number];
/** A width, or a copy in the original's own size. */
export type CopySize = Width | "full";

/** The narrowest copy of an animation that moves. Narrower ones are for galleries, and show its first frame. */
const NARROWEST_MOVING = 1600;

/** Whether a copy of this size moves. */
export const moves = (animated: boolean, size: CopySize) => animated && (size === "full" || size >= NARROWEST_MOVING);

export const isWidth = (width: number): width is Width => WIDTHS.some((allowed) => allowed === width);

/** The maximum width of an AVIF. It saves a third of the bytes; encoding a wider one costs more time than it saves. */
const WIDEST_AVIF = 800;

/** The requested format of a copy. A full copy that does not suit WebP is a JPEG. */
export type Format = "webp" | "avif";

export interface Copy {
  size: CopySize;
  format: Format;
  /** The page of a paper, from 1 on; the first if absent. */
  page?: number;
  /** The edit that it shows. */
  edit?: PhotoEdit | null | undefined;
}

/** What the names of copies of edited pictures begin with. */
const EDITED = "edit-";

/** The name of a copy's file, without the extension. Each edit has names of its own, so that none shows another's copy. */
export const copyName = ({ size, page = 1, edit }: Pick<Copy, "size" | "page" | "edit">): string =>
  `${edit ? `${EDITED}${editKey(edit)}-` : ""}${page === 1 ? "" : `page-${page}-`}${size}`;

/** Whether a file is a complete copy of a picture as another edit shows it. */
export const isOfOtherEdit = (name: string, edit: PhotoEdit | null): boolean =>
  name.startsWith(EDITED) && !name.endsWith(".part") && (!edit || !name.startsWith(`${EDITED}${editKey(edit)}-`));

/**
 * Returns the best format for a copy of this size that `accept` allows. Copies that may move are wider than the widest
 * AVIF, because the result must not depend on the picture's content.
 */
export const formatFor = (size: CopySize, accept = ""): Format =>
  typeof size === "number" && size <= WIDEST_AVIF && /\bimage\/avif\b(?!;\s*q=0(?:\.0*)?\b)/i.test(accept)
    ? "avif"
    : "webp";

/** The maximum side of a WebP. */
const LONGEST_WEBP_SIDE = 16_383;
/** The maximum pixels of a WebP. Its encoder holds the whole picture in memory; the JPEG encoder only some rows. */
const MOST_WEBP_PIXELS = 40_000_000;
/** The maximum pixels of a turned full copy, because turning needs all pixels in memory. Larger ones are reduced. */
const MOST_TURNED_PIXELS = 100_000_000;

/** Bytes per pixel of the copy at the peak of encoding, as measured, rounded up. */
const ENCODING_BYTES = { avif: 20, webp: 9, jpeg: 1 };
/** Bytes per pixel while a picture is turned. */
const TURNING_BYTES = 4;

type Shape = Pick<PictureHeader, "width" | "height" | "turned" | "animated">;

/** The memory in bytes for encoding a copy, without decoding. */
export function encodingBytes(picture: Shape, copy: Copy): number {
  const { width, height } = copySize(picture, copy);
  const turning = copy.size === "full" && picture.turned ? TURNING_BYTES : 0;
  return width * height * (ENCODING_BYTES[encoderOf(picture, copy)] + turning);
}

/** Pixels of a copy, which is never larger than its picture. */
function copySize({ width, height, turned }: Shape, { size }: Copy) {
  const scale =
    size === "full"
      ? Math.min(1, turned ? Math.sqrt(MOST_TURNED_PIXELS / (width * height)) : 1)
      : Math.min(1, size / width, LONGEST_WEBP_SIDE / height);
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

function encoderOf({ width, height, animated }: Shape, { size, format }: Copy) {
  const fitsWebp = Math.max(width, height) <= LONGEST_WEBP_SIDE && (animated || width * height <= MOST_WEBP_PIXELS);
  return size === "full" && !fitsWebp ? "jpeg" : format;
}

/** Writes a copy into `folder`; resolves to its name. Rejects with `UnreadablePictureError` if it cannot decode. */
export async function writeCopy(picture: Picture, folder: string, copy: Copy): Promise<string> {
  const encoder = encoderOf(picture, copy);
  const bytes = await encoded(picture, copy, encoder).catch((cause: unknown) => {
    throw cause instanceof UnreadablePictureError ? cause : new UnreadablePictureError({ cause });
  });
  // Written under another name and renamed, so that the name always refers to a complete picture.
  const name = `${copyName(copy)}.${encoder}`;
  const part = join(folder, `${copyName(copy)}.${randomUUID()}.part`);
  try {
    await writeFile(part, bytes);
    await rename(part, join(folder, name));
    return name;
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
}

async function encoded(picture: Picture, copy: Copy, encoder: ReturnType<typeof encoderOf>): Promise<Buffer> {
  if (picture.moving && moves(picture.animated, copy.size)) {
    const frames = await picture.moving().catch((error: unknown) => {
      // Of an animation with a damaged frame, the first one is shown.
      if (error instanceof UnreadablePictureError) return undefined;
      throw error;
    });
    if (frames) return encode(resize(frames, picture, copy), copy, encoder).toBuffer();
  }
  return encode(resize(picture.pixels(), picture, copy), copy, encoder).toBuffer();
}

function resize(source: Sharp, picture: Picture, copy: Copy): Sharp {
  if (copy.size === "full") {
    const pixels = source.toColourspace("srgb");
    const size = copySize(picture, copy);
    return size.width < picture.width ? pixels.resize(size) : pixels;
  }
  return reducedTo(source, copy.size);
}

const reducedTo = (source: Sharp, width: number): Sharp =>
  source.toColourspace("srgb").resize({ width, height: LONGEST_WEBP_SIDE, fit: "inside", withoutEnlargement: true });

function encode(pixels: Sharp, { size }: Copy, encoder: "avif" | "webp" | "jpeg"): Sharp {
  // Optimised coding would hold the whole picture in memory.
  if (encoder === "jpeg") return pixels.flatten({ background: "#fff" }).jpeg({ quality: 90, optimiseCoding: false });
  if (encoder === "avif") return pixels.avif({ quality: 60, effort: 1 });
  return pixels.webp({ quality: size === "full" ? 90 : 80, effort: 2 });
}

/** Decodes a still picture once and reduces it to this width, in memory. */
export async function reduced(picture: Picture, width: number): Promise<Picture> {
  const { data, info } = await reducedTo(picture.pixels(), width)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new UnreadablePictureError({ cause });
    });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return { ...raw, animated: false, turned: false, pixels: () => sharp(data, { raw }) };
}
