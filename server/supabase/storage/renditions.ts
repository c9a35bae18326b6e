import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { BytesKey, ObjectStore } from "./object-store.ts";
import { type Measures, openPicture, type Picture, UnreadablePicture } from "./pictures.ts";
import { queue } from "./queue.ts";

/** The only widths there are, in pixels: every other one would be a way to fill the disk. */
export const WIDTHS = [320, 640, 960, 1600, 2560] as const;
export type Width = (typeof WIDTHS)[number];
/** A width, or a copy in the original's own size. */
export type Size = Width | "full";

export const isWidth = (width: number): width is Width => WIDTHS.some((known) => known === width);

/** AVIF saves a third of the bytes and, above this width, costs more time than it saves anyone. */
const WIDEST_AVIF = 800;
/** WebP can hold no longer side. */
const LONGEST_WEBP_SIDE = 16_383;

/** What a copy is asked for as. One too long for WebP comes as JPEG. */
export type Format = "webp" | "avif";

/**
 * As what a picture of this type and size is best sent to whoever takes `accept`. Known without looking at the
 * picture: those that may be animations are never AVIF.
 */
export const formatFor = (mimetype: string, size: Size, accept = ""): Format =>
  typeof size === "number" &&
  size <= WIDEST_AVIF &&
  !/gif|webp/.test(mimetype) &&
  /\bimage\/avif\b(?!;\s*q=0(?:\.0*)?\b)/i.test(accept)
    ? "avif"
    : "webp";

export interface RenditionFile {
  path: string;
  size: number;
  type: "image/avif" | "image/webp" | "image/jpeg";
}

/** One copy of a picture. */
export interface Copy {
  size: Size;
  format: Format;
}

/** Upright copies of stored pictures in sRGB, without any metadata, made once and kept until their version goes. */
export interface Renditions {
  /** The file of one copy, made first if need be; rejects with `UnreadablePicture` or `MissingBytes`. */
  file(key: BytesKey, size: Size, format?: Format): Promise<RenditionFile>;
  /**
   * Makes the copies anew from one decoding, after everything that somebody waits for; resolves to the original's
   * pixels as seen upright.
   */
  prepare(key: BytesKey, copies: Copy[]): Promise<Measures>;
  remove(version: string): Promise<void>;
  /** Every version that has copies. */
  versions(): Promise<string[]>;
}

/**
 * Copies in `folder` of the pictures in `store`. One more is made at once than there are cores, as each also reads and
 * writes, and never so many that none of the threads is left that read and write for everybody.
 */
export function openRenditions(folder: string, store: ObjectStore): Renditions {
  // Every picture is read once; caching their files would only hold memory.
  sharp.cache(false);
  const line = queue(Math.min(3, availableParallelism() + 1));
  const flights = new Map<string, Promise<Picture>>();

  async function make(key: BytesKey, copies: Copy[]) {
    const picture = await openPicture(await store.source(key));
    await mkdir(join(folder, key.version), { recursive: true });
    for (const copy of copies) await write(picture, join(folder, key.version), copy);
    return picture;
  }

  /** Whoever asks meanwhile for one of these waits for this making. */
  function fly(key: BytesKey, copies: Copy[], urgent: boolean) {
    const names = copies.map(({ size, format }) => `${key.version}/${size}.${format}`);
    const flight = line
      .run(() => make(key, copies), urgent)
      .finally(() => {
        for (const name of names) flights.delete(name);
      });
    for (const name of names) flights.set(name, flight);
    return flight;
  }

  return {
    async file(key, size, format = "webp") {
      const known = await find(join(folder, key.version), { size, format });
      if (known) return known;
      await (flights.get(`${key.version}/${size}.${format}`) ?? fly(key, [{ size, format }], true));
      const made = await find(join(folder, key.version), { size, format });
      if (!made) throw new Error(`The rendition ${key.version}/${size} went as soon as it was made`);
      return made;
    },
    prepare: async (key, copies) => (await fly(key, copies, false)).measures(),
    remove: (version) => rm(join(folder, version), { recursive: true, force: true }),
    versions: () => readdir(folder).catch(() => []),
  };
}

async function find(folder: string, { size, format }: Copy): Promise<RenditionFile | undefined> {
  for (const type of size === "full" ? (["webp", "jpeg"] as const) : [format]) {
    const path = join(folder, `${size}.${type}`);
    const facts = await stat(path).catch(() => undefined);
    if (facts) return { path, size: facts.size, type: `image/${type}` };
  }
}

async function fitsWebp(picture: Picture): Promise<boolean> {
  const { width, height } = await picture.measures().catch((cause: unknown) => {
    throw new UnreadablePicture({ cause });
  });
  return Math.max(width, height) <= LONGEST_WEBP_SIDE;
}

async function write(picture: Picture, folder: string, { size, format }: Copy) {
  const jpeg = size === "full" && !(await fitsWebp(picture));
  const pixels = picture.pixels().toColourspace("srgb");
  const sized =
    size === "full"
      ? pixels
      : pixels.resize({ width: size, height: LONGEST_WEBP_SIDE, fit: "inside", withoutEnlargement: true });
  const encoded = jpeg
    ? sized.flatten({ background: "#fff" }).jpeg({ quality: 90 })
    : format === "avif"
      ? sized.avif({ quality: 60, effort: 1 })
      : sized.webp({ quality: size === "full" ? 90 : 80, effort: 2 });
  const bytes = await encoded.toBuffer().catch((cause: unknown) => {
    throw new UnreadablePicture({ cause });
  });
  // Written beside and renamed, so that a name always leads to a whole picture.
  const part = join(folder, `${size}.${randomUUID()}.part`);
  try {
    await writeFile(part, bytes);
    await rename(part, join(folder, `${size}.${jpeg ? "jpeg" : format}`));
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
}
