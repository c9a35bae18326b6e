import type { Stretch } from "./blanks.ts";
import { type Box, boxAt, boxesIn, type Content, contentOf, type Loaded } from "./iso-box.ts";
import { UnreadableVideo } from "./video-error.ts";

/** Tracks that are seen or heard. All others may tell where and with what a video was made: places, times, sensors, chapters. */
const SEEN_OR_HEARD = ["vide", "soun", "auxv"];

/** Hours of single frames. */
const MOST_CHUNKS = 2_000_000;

export interface Track {
  id: number;
  /** Its handler, as `vide` or `soun`. */
  kind: string;
  /** Units of its times in a second. */
  timescale: number;
  box: Box;
}

/** A movie's tracks, and whether each is seen or heard. */
export function tracksOf(moov: Loaded, box: Box): (Track & { kept: boolean })[] {
  return boxesIn(moov, box.body, box.end)
    .boxes.filter(({ type }) => type === "trak")
    .map((trak) => {
      const tkhd = contentOf(moov, boxAt(moov, trak, "tkhd"));
      const mdhd = contentOf(moov, boxAt(moov, trak, "mdia", "mdhd"));
      const kind = contentOf(moov, boxAt(moov, trak, "mdia", "hdlr")).text(8, 4);
      return {
        id: tkhd.word(tkhd.version === 1 ? 20 : 12),
        kind,
        timescale: mdhd.word(mdhd.version === 1 ? 20 : 12) || 1,
        box: trak,
        kept: SEEN_OR_HEARD.includes(kind),
      };
    });
}

/** Where in the file the samples of a track lie, chunk by chunk, by the tables of its movie. */
export function samplesOf(moov: Loaded, track: Track): Stretch[] {
  const table = (type: string) => boxAt(moov, track.box, "mdia", "minf", "stbl", type);
  const long = table("co64");
  const offsets = contentOf(moov, long ?? table("stco"));
  const width = long ? 8 : 4;
  const chunks = offsets.word(4);
  if (chunks === 0) return [];
  if (chunks > MOST_CHUNKS) throw new UnreadableVideo("it is in too many pieces");
  if (8 + chunks * width > offsets.length) throw new UnreadableVideo("one of its tables ends early");
  const sizes = table("stsz");
  const bytesOf = sizes
    ? sampleBytes(contentOf(moov, sizes), track.kind === "soun" ? contentOf(moov, table("stsd")) : undefined)
    : compactBytes(contentOf(moov, table("stz2")));

  const runs = contentOf(moov, table("stsc"));
  const stretches: Stretch[] = [];
  let sample = 0;
  for (let run = 0, count = runs.word(4); run < count; run++) {
    const first = runs.word(8 + run * 12);
    const samples = runs.word(8 + run * 12 + 4);
    const beyond = run + 1 < count ? runs.word(8 + (run + 1) * 12) : chunks + 1;
    if (first < 1 || beyond < first) throw new UnreadableVideo("its chunks are in no order");
    for (let chunk = first; chunk < Math.min(beyond, chunks + 1); chunk++) {
      const start = long ? offsets.long(8 + (chunk - 1) * 8) : offsets.word(8 + (chunk - 1) * 4);
      stretches.push({ start, end: start + bytesOf(sample, samples) });
      sample += samples;
    }
  }
  return stretches;
}

/** How many bytes `count` samples from the `first` on take. */
type Bytes = (first: number, count: number) => number;

/** By `stsz`: one size for all, or a table. Uncompressed sound counts frames there, whose size its description knows. */
function sampleBytes(stsz: Content, description: Content | undefined): Bytes {
  const same = stsz.word(4);
  if (same !== 0) return description ? soundBytes(same, description) : (_first, count) => count * same;
  const entries = stsz.word(8);
  return summed(entries, (sample) => stsz.word(12 + sample * 4));
}

/** By `stz2`, whose sizes have 4, 8 or 16 bits. */
function compactBytes(stz2: Content): Bytes {
  const bits = stz2.byte(7);
  const sizeOf = (sample: number) => {
    if (bits === 16) return stz2.half(12 + sample * 2);
    if (bits === 8) return stz2.byte(12 + sample);
    return (stz2.byte(12 + (sample >> 1)) >> (sample % 2 === 0 ? 4 : 0)) & 15;
  };
  return summed(stz2.word(8), sizeOf);
}

const summed =
  (entries: number, sizeOf: (sample: number) => number): Bytes =>
  (first, count) => {
    let bytes = 0;
    // A table that promises more samples than it has is cut short by whoever plays it, too.
    for (let sample = first; sample < Math.min(first + count, entries); sample++) bytes += sizeOf(sample);
    return bytes;
  };

/**
 * A sample of sound may be a frame whose size only its description tells, then said to be one byte, or a part of a packet
 * of several frames. Of what the two say the most is taken: whoever plays it reads no further.
 */
function soundBytes(same: number, stsd: Content): Bytes {
  const entry = 16;
  const version = stsd.half(entry + 8);
  const frame = version === 2 ? stsd.word(entry + 56) : Math.ceil((stsd.half(entry + 16) * stsd.half(entry + 18)) / 8);
  const [packetFrames, packetBytes] =
    version === 1 && stsd.length >= entry + 44 ? [stsd.word(entry + 28), stsd.word(entry + 36)] : [0, 0];
  const one = same === 1 ? Math.max(1, frame) : same;
  return (_first, count) => Math.max(count * one, packetFrames > 0 ? Math.ceil(count / packetFrames) * packetBytes : 0);
}
