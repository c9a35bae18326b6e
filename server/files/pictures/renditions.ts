import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import sharp from "sharp";
import { editedSize, type PhotoEdit } from "../../../shared/photo-edit.ts";
import { queue } from "../../threads/queue.ts";
import type { CopyStore } from "../copy-store.ts";
import type { BytesKey, ObjectStore } from "../object-store.ts";
import type { DecodeSequence } from "./avif-sequence.ts";
import { type Copy, type CopySize, copyName, encodingBytes, type Format, moves, reduced, writeCopy } from "./copies.ts";
import { ANIMATION_BYTES, MOST_DECODING_BYTES } from "./decoding-bytes.ts";
import { edited, editingBytes } from "./edited.ts";
import {
  openPicture,
  type Picture,
  type PictureHeader,
  readHeader,
  type Strictness,
  UnreadablePictureError,
} from "./pictures.ts";
import type { Size, Source } from "./sources.ts";

export interface RenditionFile {
  path: string;
  size: number;
  type: "image/avif" | "image/webp" | "image/jpeg";
}

/** The bytes of a picture, and the edit by which it is shown. */
export interface PictureKey extends BytesKey {
  edit?: PhotoEdit | null | undefined;
}

/** The result of making a picture's copies. */
export interface PreparedPicture extends Size {
  /** Whether data is missing; the copies show the rest. */
  damaged: boolean;
  /** Whether it is an animation. */
  animated: boolean;
  /** The number of pages of a paper that can be shown; undefined for any other picture. */
  pages?: number | undefined;
}

/** Upright copies of stored pictures in sRGB without metadata, made once and kept until their version is removed. */
export interface Renditions {
  /** The file of one copy, made first if needed; rejects with `UnreadablePictureError` or `MissingBytesError`. */
  file(key: PictureKey, size: CopySize, format?: Format, page?: number): Promise<RenditionFile>;
  /**
   * Makes the copies again from one decoding, with low priority. Resolves to the size of the upright original. Rejects
   * with `UnreadablePictureError` also if a damaged picture has no readable pixels.
   */
  prepare(key: PictureKey, copies: Copy[]): Promise<PreparedPicture>;
}

/** Parallel reads of headers; each takes a few milliseconds and little memory. */
const HEADERS_AT_ONCE = 4;

/**
 * Makes copies of the pictures in `store` and keeps them in `copyStore`. Memory limits the number of parallel decodings. One
 * more decoding than cores may run, because each also reads and writes files. At most three run, so that libuv threads
 * stay free for other files. Without `decodeSequence`, animated AVIFs stand still.
 */
export function openRenditions(copyStore: CopyStore, store: ObjectStore, decodeSequence?: DecodeSequence): Renditions {
  // Each picture is read once, so caching files would waste memory.
  sharp.cache(false);
  // One thread per picture: the buffers of several would add up.
  sharp.concurrency(1);
  const headers = queue(HEADERS_AT_ONCE);
  const decoding = queue(Math.min(3, availableParallelism() + 1), MOST_DECODING_BYTES);
  const running = new Map<string, Promise<PreparedPicture>>();

  async function make(key: PictureKey, copies: Copy[], urgent: boolean): Promise<PreparedPicture> {
    const [header, path] = await headers.run(
      async () => {
        const source = await store.source(key);
        // A waiting picture holds no bytes, because many may wait.
        const header = await readHeader(source, copies[0]?.page, decodeSequence !== undefined);
        return [header, typeof source === "string" ? source : undefined] as const;
      },
      { urgent },
    );
    const bytes = header.decodingBytes + memoryFor(header, copies, key.edit);
    const work = async () => write(key.version, path ?? (await store.source(key)), header, copies, urgent);
    return decoding.run(work, { urgent, weight: bytes });
  }

  /** Writes copies. Only the first preparation reports damage; later copies show the part that can be decoded. */
  async function write(version: string, source: Source, header: PictureHeader, copies: Copy[], urgent: boolean) {
    const writeAll = async (strictness: Strictness) => {
      const picture = await openPicture(source, header, strictness, decodeSequence);
      const edit = copies[0]?.edit;
      const shown = edit ? await edited(picture, edit, widest(copies)) : picture;
      for (const name of await writeCopies(shown, await copyStore.folder(version), copies))
        await copyStore.keep(version, name);
      return picture;
    };
    const { pages } = header;
    if (urgent) return { ...factsOf(await writeAll("none")), pages, damaged: false };
    try {
      return { ...factsOf(await writeAll("truncated")), pages, damaged: false };
    } catch (error) {
      if (!(error instanceof UnreadablePictureError) || header.hevc) throw error;
    }
    const picture = await writeAll("none");
    if (!picture.animated && (await isBlank(picture)))
      throw new UnreadablePictureError({ cause: new Error("Nothing of the picture is left") });
    return { ...factsOf(picture), pages, damaged: true };
  }

  /** Later requests for one of these copies wait for this run. All are of one page. */
  function start(key: PictureKey, plain: Copy[], urgent: boolean) {
    const copies = plain.map((copy) => ({ ...copy, edit: key.edit }));
    const names = copies.map((copy) => `${key.version}/${copyName(copy)}.${copy.format}`);
    const run = make(key, copies, urgent).finally(() => {
      for (const name of names) running.delete(name);
    });
    for (const name of names) running.set(name, run);
    return run;
  }

  return {
    async file(key, size, format = "webp", page = 1) {
      const copy = { size, format, page, edit: key.edit };
      const name = `${key.version}/${copyName(copy)}.${format}`;
      // A copy of an edit is removed once another edit is stored.
      for (let attempt = 0; attempt < (key.edit ? 2 : 1); attempt++) {
        const existing = await find(copyStore, key.version, copy);
        if (existing) return existing;
        await (running.get(name) ?? start(key, [copy], true));
      }
      const made = await find(copyStore, key.version, copy);
      if (!made) throw new Error(`The rendition ${name} was removed as soon as it was made`);
      return made;
    },
    prepare: (key, copies) => start(key, copies, false),
  };
}

/** The width of the widest copy; undefined if one is in the picture's own size. */
const widest = (copies: Copy[]): number | undefined =>
  copies.reduce<number | undefined>(
    (most, { size }) => (most === undefined || size === "full" ? undefined : Math.max(most, size)),
    0,
  );

/** The memory in bytes for making copies, besides that for decoding. */
function memoryFor(header: PictureHeader, copies: Copy[], edit: PhotoEdit | null | undefined): number {
  const shape = edit ? { ...header, ...editedSize(header, edit), turned: false } : header;
  const editing = edit ? editingBytes(header, edit, widest(copies)) + (header.animated ? ANIMATION_BYTES : 0) : 0;
  return editing + Math.max(...copies.map((copy) => encodingBytes(shape, copy)));
}

const factsOf = ({ width, height, animated }: Picture) => ({ width, height, animated });

async function find(copies: CopyStore, version: string, copy: Copy): Promise<RenditionFile | undefined> {
  for (const type of copy.size === "full" ? (["webp", "jpeg"] as const) : [copy.format]) {
    const path = await copies.local(version, `${copyName(copy)}.${type}`);
    const facts = path && (await stat(path).catch(() => undefined));
    if (path && facts) return { path, size: facts.size, type: `image/${type}` };
  }
}

/** Makes copies of a still picture from one decoding at the largest copy's width. Resolves to their names. */
async function writeCopies(picture: Picture, folder: string, copies: Copy[]): Promise<string[]> {
  const widths = copies.flatMap(({ size }) => (size === "full" ? [] : [size]));
  const shared =
    copies.length > 1 && widths.length === copies.length && !widths.some((width) => moves(picture.animated, width));
  const source = shared ? await reduced(picture, Math.max(...widths)) : picture;
  const names: string[] = [];
  for (const copy of copies) names.push(await writeCopy(source, folder, copy));
  return names;
}

/** Whether a picture has a single colour, which decoders return for a file without pixels. */
async function isBlank(picture: Picture): Promise<boolean> {
  const small = await (await reduced(picture, 320)).pixels().removeAlpha().png().toBuffer();
  const { channels } = await sharp(small).stats();
  return channels.every(({ stdev }) => stdev < 0.5);
}
