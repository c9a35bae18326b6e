import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { BytesKey, ObjectStore } from "./object-store.ts";
import { openPicture, type Picture, UnreadablePicture } from "./pictures.ts";
import { queue } from "./queue.ts";

/** The only widths there are, in pixels: every other one would be a way to fill the disk. */
export const WIDTHS = [320, 640, 960, 1600, 2560] as const;
export type Width = (typeof WIDTHS)[number];
/** A width, or a copy in the original's own size. */
export type Size = Width | "full";

export const isWidth = (width: number): width is Width => WIDTHS.some((known) => known === width);

/** WebP can hold no longer side. */
const LONGEST_WEBP_SIDE = 16_383;

export interface RenditionFile {
  path: string;
  size: number;
  type: "image/webp" | "image/jpeg";
}

/** Upright copies of stored pictures in sRGB, without any metadata, made once and kept until their version goes. */
export interface Renditions {
  /** The file of one copy, made first if need be; rejects with `UnreadablePicture` or `MissingBytes`. */
  file(key: BytesKey, size: Size): Promise<RenditionFile>;
  /**
   * Makes the copies anew from one decoding, after everything that somebody waits for; resolves to the original's
   * pixels as seen upright.
   */
  prepare(key: BytesKey, sizes: Size[]): Promise<Pick<Picture, "width" | "height">>;
  remove(version: string): Promise<void>;
  /** Every version that has copies. */
  versions(): Promise<string[]>;
}

export function openRenditions(folder: string, store: ObjectStore): Renditions {
  // Every picture is read once; caching their files would only hold memory.
  sharp.cache(false);
  const line = queue(Math.min(4, availableParallelism()));
  const flights = new Map<string, Promise<unknown>>();

  async function make(key: BytesKey, sizes: Size[]) {
    const picture = await openPicture(await buffer(await store.read(key)));
    await mkdir(join(folder, key.version), { recursive: true });
    for (const size of sizes) await write(picture, join(folder, key.version), size);
    return { width: picture.width, height: picture.height };
  }

  /** Whoever asks meanwhile for one of these waits for this making. */
  function fly(key: BytesKey, sizes: Size[], urgent: boolean) {
    const names = sizes.map((size) => `${key.version}/${size}`);
    const flight = line
      .run(() => make(key, sizes), urgent)
      .finally(() => {
        for (const name of names) flights.delete(name);
      });
    for (const name of names) flights.set(name, flight);
    return flight;
  }

  return {
    async file(key, size) {
      const known = await find(folder, key.version, size);
      if (known) return known;
      await (flights.get(`${key.version}/${size}`) ?? fly(key, [size], true));
      const made = await find(folder, key.version, size);
      if (!made) throw new Error(`The rendition ${key.version}/${size} went as soon as it was made`);
      return made;
    },
    prepare: (key, sizes) => fly(key, sizes, false),
    remove: (version) => rm(join(folder, version), { recursive: true, force: true }),
    versions: () => readdir(folder).catch(() => []),
  };
}

async function find(folder: string, version: string, size: Size): Promise<RenditionFile | undefined> {
  for (const [ending, type] of [
    ["webp", "image/webp"],
    ["jpg", "image/jpeg"],
  ] as const) {
    const path = join(folder, version, `${size}.${ending}`);
    const facts = await stat(path).catch(() => undefined);
    if (facts) return { path, size: facts.size, type };
  }
}

async function write(picture: Picture, folder: string, size: Size) {
  const jpeg = size === "full" && Math.max(picture.width, picture.height) > LONGEST_WEBP_SIDE;
  const pixels = picture.pixels().toColourspace("srgb");
  const sized =
    size === "full"
      ? pixels
      : pixels.resize({ width: size, height: LONGEST_WEBP_SIDE, fit: "inside", withoutEnlargement: true });
  const quality = size === "full" ? 90 : 80;
  const encoded = jpeg ? sized.flatten({ background: "#fff" }).jpeg({ quality }) : sized.webp({ quality, effort: 2 });
  const bytes = await encoded.toBuffer().catch((cause: unknown) => {
    throw new UnreadablePicture({ cause });
  });
  // Written beside and renamed, so that a name always leads to a whole picture.
  const part = join(folder, `${size}.${randomUUID()}.part`);
  try {
    await writeFile(part, bytes);
    await rename(part, join(folder, `${size}.${jpeg ? "jpg" : "webp"}`));
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
}
