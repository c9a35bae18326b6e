/** A generator of numbers from 0 to 1 that repeats for a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The positions of a video's tables: everything but the media data of a movie, or the block contents of Matroska. */
export function tablePositions(bytes: Buffer): number[] {
  const isMovie = bytes.toString("latin1", 4, 8) === "ftyp";
  const spans = isMovie ? movieTables(bytes) : matroskaTables(bytes);
  return spans.flatMap(([start, end]) => Array.from({ length: end - start }, (_, index) => start + index));
}

function movieTables(bytes: Buffer): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = Math.max(8, bytes.readUInt32BE(at));
    const isMedia = bytes.toString("latin1", at + 4, at + 8) === "mdat";
    spans.push([at, Math.min(bytes.length, isMedia ? at + 8 : at + size)]);
    at += size;
  }
  return spans;
}

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const BLOCKS = new Set([0xa1, 0xa3]);
/** Bytes of a block's track, time and flags. */
const BLOCK_HEAD_BYTES = 4;

/** Everything but the bytes of pictures and sound. */
function matroskaTables(bytes: Buffer): [number, number][] {
  const spans: [number, number][] = [];
  const width = (at: number) => Math.clz32(bytes[at] ?? 0) - 23;
  const walk = (from: number, to: number) => {
    for (let at = from; at < to; ) {
      const idWidth = width(at);
      const id = bytes.readUIntBE(at, idWidth);
      const sizeWidth = width(at + idWidth);
      const sizeBytes = bytes.subarray(at + idWidth + 1, at + idWidth + sizeWidth);
      const size = sizeBytes.reduce((sum, byte) => sum * 256 + byte, (bytes[at + idWidth] ?? 0) & (0xff >> sizeWidth));
      const body = at + idWidth + sizeWidth;
      const end = Math.min(to, body + size);
      const isBlock = BLOCKS.has(id);
      const isParent = id === SEGMENT || id === CLUSTER || id === BLOCK_GROUP;
      spans.push([at, isParent ? body : isBlock ? Math.min(end, body + BLOCK_HEAD_BYTES) : end]);
      if (isParent) walk(body, end);
      at = end;
    }
  };
  walk(0, bytes.length);
  return spans;
}

/** A copy of the video with some bytes of its tables changed, or truncated. */
export function broken(bytes: Buffer, positions: number[], random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  const pick = (below: number) => Math.floor(random() * below);
  for (let remaining = 1 + pick(4); remaining > 0; remaining--) {
    const at = positions[pick(positions.length)] ?? 0;
    copy[at] = [0, 1, 0x7f, 0x80, 0xff, pick(256), (copy[at] ?? 0) + 1, (copy[at] ?? 0) ^ (1 << pick(8))][pick(8)] ?? 0;
  }
  return random() < 0.05 ? copy.subarray(0, pick(copy.length)) : copy;
}

/** A recording that ended when the phone's battery was empty, before its tables were written. */
export const withoutTables = (movie: Buffer): Buffer => movie.subarray(0, movie.lastIndexOf("moov") - 4);
