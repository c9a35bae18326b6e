import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { bytesOf, reading, type Source } from "./sources.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const unpack = promisify(inflate);

/** The most bytes of a picture's compressed texts once unpacked. Descriptions that programs write have some kilobytes. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024;
/** Deflate makes content at most this much smaller. */
const MOST_COMPRESSION = 1032;
/** Bytes that are read at once while chunks are searched. */
const WINDOW_BYTES = 64 * 1024;

interface TextChunk {
  type: "zTXt" | "iTXt";
  /** The place of the chunk in its file, and behind it. */
  from: number;
  to: number;
}

/**
 * Returns the source for libvips, which unpacks up to fifty compressed texts of a PNG whenever it opens the file: a file
 * of 3 MB can take gigabytes. If the texts together are larger than any description, they are left out.
 */
export async function withoutSwollenTexts(source: Source): Promise<Source> {
  const chunks = await compressedTexts(source);
  const packedBytes = chunks.reduce((sum, { from, to }) => sum + to - from, 0);
  if (packedBytes * MOST_COMPRESSION <= MOST_TEXT_BYTES) return source;
  const bytes = await bytesOf(source);
  if (packedBytes <= MOST_TEXT_BYTES && (await areShort(bytes, chunks))) return source;
  const starts = [0, ...chunks.map(({ to }) => to)];
  const ends = [...chunks.map(({ from }) => from), bytes.length];
  return Buffer.concat(starts.map((start, place) => bytes.subarray(start, ends[place])));
}

/** The texts of a PNG before its pixels that may be compressed; none of another file. */
const compressedTexts = (source: Source): Promise<TextChunk[]> =>
  reading(source, async (read) => {
    const chunks: TextChunk[] = [];
    let [window, windowAt] = [await read(0, SIGNATURE.length), 0];
    if (!window.equals(SIGNATURE)) return chunks;
    for (let at = SIGNATURE.length; ; ) {
      if (at + 8 > windowAt + window.length) [window, windowAt] = [await read(at, WINDOW_BYTES), at];
      if (window.length < at - windowAt + 8) return chunks;
      const type = window.toString("latin1", at - windowAt + 4, at - windowAt + 8);
      if (type === "IDAT") return chunks;
      const to = at + 12 + window.readUInt32BE(at - windowAt);
      if (type === "zTXt" || type === "iTXt") chunks.push({ type, from: at, to });
      at = to;
    }
  });

/** Whether these texts together are no larger than {@link MOST_TEXT_BYTES} once unpacked. */
async function areShort(bytes: Buffer, chunks: TextChunk[]): Promise<boolean> {
  let remaining = MOST_TEXT_BYTES;
  for (const { type, from, to } of chunks) {
    const content = packedPart(type, bytes.subarray(from + 8, to - 4));
    try {
      remaining -= content ? (await unpack(content, { maxOutputLength: Math.max(1, remaining) })).length : to - from;
    } catch {
      // It is too long, or damaged: how much of it others unpack is unknown.
      return false;
    }
    if (remaining <= 0) return false;
  }
  return true;
}

/** The compressed part of a text, which follows its name; undefined if it is not compressed. */
function packedPart(type: TextChunk["type"], content: Buffer): Buffer | undefined {
  const name = content.indexOf(0);
  if (name === -1) return undefined;
  if (type === "zTXt") return content.subarray(name + 2);
  // A mark, the method, and two more names.
  const language = content.indexOf(0, name + 3);
  return content[name + 1] === 1 ? content.subarray(content.indexOf(0, language + 1) + 1) : undefined;
}
