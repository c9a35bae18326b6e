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

/** The positions of a video's tables: of a movie all but its media data, of Matroska what begins the file and each cluster. */
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

const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);

function matroskaTables(bytes: Buffer): [number, number][] {
  const first = bytes.indexOf(CLUSTER);
  const spans: [number, number][] = [[0, Math.min(bytes.length, first + 64)]];
  for (let at = bytes.indexOf(CLUSTER, first + 1); at !== -1; at = bytes.indexOf(CLUSTER, at + 1)) {
    spans.push([at, Math.min(bytes.length, at + 64)]);
  }
  return spans;
}

/** The video with some bytes of its tables changed, or cut off. */
export function broken(bytes: Buffer, positions: number[], random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  const pick = (below: number) => Math.floor(random() * below);
  for (let left = 1 + pick(4); left > 0; left--) {
    const at = positions[pick(positions.length)] ?? 0;
    copy[at] = [0, 1, 0x7f, 0x80, 0xff, pick(256), (copy[at] ?? 0) + 1, (copy[at] ?? 0) ^ (1 << pick(8))][pick(8)] ?? 0;
  }
  return random() < 0.05 ? copy.subarray(0, pick(copy.length)) : copy;
}
