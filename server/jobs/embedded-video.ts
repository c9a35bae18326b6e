import { type FileHandle, open } from "node:fs/promises";

/** Where in a photo's file the video lies that was recorded with it. */
export interface EmbeddedVideo {
  start: number;
  length: number;
}

/** Samsung's phones write this before the video, with or without saying so in XMP. */
const SAMSUNG_MARK = Buffer.from("MotionPhoto_Data");
/** How Samsung's files end that have something appended. */
const SAMSUNG_END = "SEFT";
/** No phone appends more than this to a photo. */
const SEARCHED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const BOX_HEAD_BYTES = 8;
const LONGEST_FIRST_BOX = 1024;

/**
 * The video that a phone has appended to the photo at `path` (Google's motion photos and micro videos, Samsung's), as its XMP or
 * Samsung's mark says; null where there is none at that place.
 */
export async function embeddedVideo(path: string, xmp: string): Promise<EmbeddedVideo | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (const fromEnd of offsetsFromEnd(xmp)) {
      const found = await videoAt(file, size - fromEnd, size);
      if (found) return found;
    }
    const start = size > BOX_HEAD_BYTES ? await markedStart(file, size) : undefined;
    return start === undefined ? null : await videoAt(file, start, size);
  } finally {
    await file.close();
  }
}

/** How far from the end of the file its XMP says that the video begins. */
function offsetsFromEnd(xmp: string): number[] {
  const offsets: number[] = [];
  if (/MotionPhoto\s*(=\s*["']|>)\s*1/.test(xmp)) {
    // What follows the photo, in the order of the directory; each with its length and what pads it.
    const items = [...xmp.matchAll(/<(?:\w+:)?Item\b[^>]*Semantic\s*=[^>]*>/g)].map(([item]) => ({
      isVideo: /Semantic\s*=\s*["']MotionPhoto["']/.test(item),
      bytes: attribute(item, "Length") + attribute(item, "Padding"),
    }));
    const first = items.findIndex(({ isVideo }) => isVideo);
    if (first !== -1) offsets.push(items.slice(first).reduce((sum, { bytes }) => sum + bytes, 0));
  }
  const micro = xmp.match(/MicroVideoOffset\s*(?:=\s*["']|>)\s*(\d{1,12})/)?.[1];
  if (micro) offsets.push(Number(micro));
  return offsets.filter((offset) => offset > 0);
}

const attribute = (element: string, name: string) =>
  Number(element.match(new RegExp(`\\b${name}\\s*=\\s*["'](\\d{1,12})["']`))?.[1] ?? 0);

/** An MP4 at this place, as far as its boxes follow each other. */
async function videoAt(file: FileHandle, start: number, size: number): Promise<EmbeddedVideo | null> {
  const first = await boxAt(file, start, size);
  if (first?.type !== "ftyp" || first.bytes > LONGEST_FIRST_BOX) return null;
  let end = start;
  for (let box: typeof first | null = first; box; box = await boxAt(file, end, size)) end += box.bytes;
  return { start, length: end - start };
}

async function boxAt(file: FileHandle, at: number, size: number): Promise<{ type: string; bytes: number } | null> {
  if (at <= 0 || at + BOX_HEAD_BYTES > size) return null;
  const { buffer } = await file.read(Buffer.alloc(2 * BOX_HEAD_BYTES), 0, 2 * BOX_HEAD_BYTES, at);
  const type = buffer.toString("latin1", 4, 8);
  const short = buffer.readUInt32BE(0);
  const bytes = short === 1 ? Number(buffer.readBigUInt64BE(BOX_HEAD_BYTES)) : short;
  return /^[\w ]{4}$/.test(type) && bytes >= BOX_HEAD_BYTES && at + bytes <= size ? { type, bytes } : null;
}

/** Where the video begins in a file of Samsung's; undefined in all others. */
async function markedStart(file: FileHandle, size: number): Promise<number | undefined> {
  const { buffer: end } = await file.read(
    Buffer.alloc(SAMSUNG_END.length),
    0,
    SAMSUNG_END.length,
    size - SAMSUNG_END.length,
  );
  if (end.toString("latin1") !== SAMSUNG_END) return undefined;
  const chunk = Buffer.alloc(CHUNK_BYTES + SAMSUNG_MARK.length);
  for (let read = CHUNK_BYTES; read < Math.min(size, SEARCHED_BYTES) + CHUNK_BYTES; read += CHUNK_BYTES) {
    const start = Math.max(0, size - read);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, start);
    const found = chunk.subarray(0, bytesRead).lastIndexOf(SAMSUNG_MARK);
    if (found !== -1) return start + found + SAMSUNG_MARK.length;
  }
  return undefined;
}
