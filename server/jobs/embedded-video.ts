import { type FileHandle, open } from "node:fs/promises";

/** The position of a motion photo's video in its file. */
export interface EmbeddedVideo {
  start: number;
  length: number;
}

/** Samsung's marker before the video, with or without XMP. */
const SAMSUNG_MARK = Buffer.from("MotionPhoto_Data");
/** The end of Samsung files with appended data. */
const SAMSUNG_END = "SEFT";
/** The maximum size of an appended video. */
const SEARCHED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const BOX_HEAD_BYTES = 8;
const LONGEST_FIRST_BOX = 1024;

/**
 * Finds the video that a phone has appended to the photo at `path` (Google's motion photos and micro videos,
 * Samsung's). XMP or Samsung's marker gives its position; null if there is no video.
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

/** The video's distance from the end of the file, according to XMP. */
function offsetsFromEnd(xmp: string): number[] {
  const offsets: number[] = [];
  if (/MotionPhoto\s*(=\s*["']|>)\s*1/.test(xmp)) {
    // The appended items in the directory's order, each with its length and padding.
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

/** Resolves to the MP4 at this position, up to the end of its contiguous boxes. */
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

/** The video's position in a Samsung file; undefined in other files. */
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
