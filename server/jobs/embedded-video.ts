import { type FileHandle, open } from "node:fs/promises";

/** The position of a motion photo's video in its file. */
export interface EmbeddedVideo {
  start: number;
  length: number;
}

/** The type of an MP4's first box. */
const FIRST_BOX = Buffer.from("ftyp");
/** An appended video begins within this distance from the end. */
const SEARCHED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const BOX_HEAD_BYTES = 8;
const LONGEST_FIRST_BOX = 1024;
/** Limits for hostile files: places that look like a video, and boxes that follow each. */
const MAX_PLACES = 20;
const MAX_BOXES = 100;

/**
 * Finds the video that a phone has stored in the photo at `path`: the first MP4 after the photo's own beginning. So
 * neither the maker's markers (XMP, Samsung's trailer, an `mpvd` box) nor their numbers are needed, which editors leave
 * wrong. Resolves to null without a video, and if `xmp` says that the photo stands still.
 */
export async function embeddedVideo(path: string, xmp: string): Promise<EmbeddedVideo | null> {
  if (/MotionPhoto\s*(=\s*["']|>)\s*(0|-\d+)\s*["'<]/.test(xmp)) return null;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let places = 0;
    for await (const start of placesOfVideos(file, size)) {
      const end = await endOfVideo(file, start, size);
      if (end !== undefined) return { start, length: end - start };
      if (++places === MAX_PLACES) break;
    }
    return null;
  } finally {
    await file.close();
  }
}

/** The positions where an MP4 may begin, in ascending order. */
async function* placesOfVideos(file: FileHandle, size: number): AsyncGenerator<number> {
  const chunk = Buffer.alloc(CHUNK_BYTES + BOX_HEAD_BYTES);
  // A HEIC or AVIF file begins with such a box itself, at 0.
  for (let at = Math.max(1, size - SEARCHED_BYTES); at < size; at += CHUNK_BYTES) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    const read = chunk.subarray(0, bytesRead);
    let type = read.indexOf(FIRST_BOX, 4);
    while (type !== -1 && type - 4 < CHUNK_BYTES) {
      yield at + type - 4;
      type = read.indexOf(FIRST_BOX, type + 1);
    }
  }
}

/** Resolves to the end of the MP4 at `start`, after its last contiguous box; undefined if it is none. */
async function endOfVideo(file: FileHandle, start: number, size: number): Promise<number | undefined> {
  let isVideo = false;
  let end = start;
  for (let count = 0; count < MAX_BOXES; count++) {
    const box = await boxAt(file, end, size);
    // Samsung's own data follows the video in the box that contains it.
    if (!box || box.type === "sefd") break;
    const isFirst = box.type === "ftyp" && box.bytes <= LONGEST_FIRST_BOX;
    if (isFirst !== (count === 0)) return undefined;
    isVideo ||= box.type === "moov";
    end += box.bytes;
  }
  return isVideo ? end : undefined;
}

async function boxAt(file: FileHandle, at: number, size: number): Promise<{ type: string; bytes: number } | null> {
  if (at + BOX_HEAD_BYTES > size) return null;
  const { buffer } = await file.read(Buffer.alloc(2 * BOX_HEAD_BYTES), 0, 2 * BOX_HEAD_BYTES, at);
  const type = buffer.toString("latin1", 4, 8);
  const short = buffer.readUInt32BE(0);
  const bytes = lengthOf(short, buffer, size - at);
  return /^[\w ]{4}$/.test(type) && bytes >= BOX_HEAD_BYTES && at + bytes <= size ? { type, bytes } : null;
}

/** A box's length: 0 means up to the end of the file, 1 that a longer number follows. */
function lengthOf(short: number, head: Buffer, rest: number): number {
  if (short === 0) return rest;
  return short === 1 ? Number(head.readBigUInt64BE(BOX_HEAD_BYTES)) : short;
}
