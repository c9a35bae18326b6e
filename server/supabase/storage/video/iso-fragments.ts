import type { Stretch } from "./blanks.ts";
import { type Box, boxAt, boxesIn, contentOf, type Loaded } from "./iso-box.ts";
import type { Track } from "./iso-tracks.ts";

/** What a track's fragments take from the movie where they do not say it themselves. */
export interface Defaults {
  duration: number;
  size: number;
}

/** Each track's defaults, by its id. */
export function defaultsOf(moov: Loaded, box: Box): Map<number, Defaults> {
  const mvex = boxAt(moov, box, "mvex");
  const trexes = mvex ? boxesIn(moov, mvex.body, mvex.end).boxes.filter(({ type }) => type === "trex") : [];
  return new Map(
    trexes.map((trex) => {
      const content = contentOf(moov, trex);
      return [content.word(4), { duration: content.word(12), size: content.word(16) }];
    }),
  );
}

/** The samples of one track in one fragment. */
export interface Fragment {
  track: Track | undefined;
  box: Box;
  samples: Stretch[];
  /** When it ends, in seconds; 0 where it does not say when it begins. */
  endsAt: number;
}

/** A movie fragment's tracks: where their samples lie, and how long they last. */
export function fragmentsOf(moof: Loaded, box: Box, tracks: Track[], defaults: Map<number, Defaults>): Fragment[] {
  const fragments: Fragment[] = [];
  let previousEnd = box.at;
  for (const traf of boxesIn(moof, box.body, box.end).boxes.filter(({ type }) => type === "traf")) {
    const header = headerOf(moof, traf, { fragment: box.at, previousEnd });
    const track = tracks.find(({ id }) => id === header.id);
    const fallback = { ...(defaults.get(header.id) ?? { duration: 0, size: 0 }), ...header.own };
    const samples: Stretch[] = [];
    let [at, duration] = [header.base, 0];
    for (const trun of boxesIn(moof, traf.body, traf.end).boxes.filter(({ type }) => type === "trun")) {
      const run = runOf(moof, trun, fallback);
      const start = run.offset === undefined ? at : header.base + run.offset;
      samples.push({ start, end: start + run.bytes });
      at = start + run.bytes;
      duration += run.duration;
    }
    previousEnd = at;
    const tfdt = boxAt(moof, traf, "tfdt");
    const began = tfdt && contentOf(moof, tfdt);
    const beganAt = began ? (began.version === 1 ? began.long(4) : began.word(4)) : 0;
    fragments.push({ track, box: traf, samples, endsAt: track ? (beganAt + duration) / track.timescale : 0 });
  }
  return fragments;
}

/** A track fragment's header: whose it is, from where its offsets count, and its own defaults. */
function headerOf(moof: Loaded, traf: Box, known: { fragment: number; previousEnd: number }) {
  const tfhd = contentOf(moof, boxAt(moof, traf, "tfhd"));
  const { flags } = tfhd;
  let at = 8;
  const next = (flag: number, width: number) => {
    if ((flags & flag) === 0) return undefined;
    at += width;
    return width === 8 ? tfhd.long(at - 8) : tfhd.word(at - 4);
  };
  const base = next(0x1, 8);
  next(0x2, 4);
  const [duration, size] = [next(0x8, 4), next(0x10, 4)];
  return {
    id: tfhd.word(4),
    base: base ?? (flags & 0x20000 ? known.fragment : known.previousEnd),
    own: { ...(duration !== undefined && { duration }), ...(size !== undefined && { size }) },
  };
}

/** One run of samples: from where, how many bytes, how long in the track's own units. */
function runOf(moof: Loaded, trun: Box, fallback: Defaults) {
  const run = contentOf(moof, trun);
  const { flags } = run;
  const count = run.word(4);
  const offset = flags & 0x1 ? run.signed(8) : undefined;
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const [timed, sized] = [(flags & 0x100) !== 0, (flags & 0x200) !== 0];
  const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
  if (!timed && !sized) return { offset, bytes: count * fallback.size, duration: count * fallback.duration };
  let [bytes, duration] = [0, 0];
  for (let sample = 0, at = first; sample < count; sample++, at += width) {
    duration += timed ? run.word(at) : fallback.duration;
    bytes += sized ? run.word(at + (timed ? 4 : 0)) : fallback.size;
  }
  return { offset, bytes, duration };
}
