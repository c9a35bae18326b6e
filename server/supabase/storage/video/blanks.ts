import { Transform } from "node:stream";
import { UnreadableVideo } from "./video-error.ts";

/** A stretch of a file that is replaced by others of the same length: by these bytes, by one again and again, or by zeros. */
export interface Blank {
  at: number;
  length: number;
  bytes?: Buffer;
  fill?: number;
}

/** A stretch of bytes; `end` is the first that does not belong to it. */
export interface Stretch {
  start: number;
  end: number;
}

/** Zeros over a stretch. */
export const zeros = (at: number, length: number): Blank => ({ at, length });

/** The stretches in order, those that touch or overlap as one. */
export function joined(stretches: Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { start, end } of [...stretches].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (start >= end) continue;
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

/** What is left of `whole` without the stretches in `kept`, which are joined. */
export function without(whole: Stretch, kept: Stretch[]): Stretch[] {
  const left: Stretch[] = [];
  let from = whole.start;
  const first = firstBeyond(kept, (stretch) => stretch.end, whole.start);
  for (let i = first, next = kept[i]; next && next.start < whole.end; next = kept[++i]) {
    const { start, end } = next;
    if (start > from) left.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  if (from < whole.end) left.push({ start: from, end: whole.end });
  return left;
}

/** A day's video with its sensors has a few ten thousand. */
export const MOST_BLANKS = 300_000;

/** In the order of the file, as {@link blanking} wants them; refuses more than a real video needs. */
export function ordered(blanks: Blank[]): Blank[] {
  if (blanks.length > MOST_BLANKS) throw new UnreadableVideo("it is in too many pieces");
  return blanks.filter(({ length }) => length > 0).sort((a, b) => a.at - b.at);
}

/** Passes a file's bytes on from the place `at`, with the blanks, which are in order and never overlap, put over them. */
export function blanking(blanks: Blank[], at: number): Transform {
  let position = at;
  let next = firstBeyond(blanks, (blank) => blank.at + blank.length, at);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = position + chunk.length;
      let out = chunk;
      for (let blank = blanks[next]; blank && blank.at < end; blank = blanks[next]) {
        if (out === chunk) out = Buffer.from(chunk);
        cover(out, position, blank);
        if (blank.at + blank.length > end) break;
        next++;
      }
      position = end;
      done(null, out);
    },
  });
}

function cover(chunk: Buffer, position: number, { at, length, bytes, fill = 0 }: Blank) {
  const from = Math.max(at, position);
  const to = Math.min(at + length, position + chunk.length);
  if (bytes) bytes.copy(chunk, from - position, from - at, to - at);
  else chunk.fill(fill, from - position, to - position);
}

/** The place of the first item, in the order of the file, that ends after `at`. */
function firstBeyond<T>(items: T[], endOf: (item: T) => number, at: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && endOf(item) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As they are remembered: `[at, length]`, `[at, length, fill]`, or `[at, "hex"]`. */
export const writtenDown = (blanks: Blank[]): string =>
  JSON.stringify(
    blanks.map(({ at, length, bytes, fill }) => [at, bytes ? bytes.toString("hex") : length, ...(fill ? [fill] : [])]),
  );

/** The blanks again from what {@link writtenDown} wrote. */
export const readBack = (text: string): Blank[] =>
  (JSON.parse(text) as [number, number | string, number?][]).map(([at, what, fill]) => {
    if (typeof what === "number") return { ...zeros(at, what), ...(fill && { fill }) };
    const bytes = Buffer.from(what, "hex");
    return { at, length: bytes.length, bytes };
  });
