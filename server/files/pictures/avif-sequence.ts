import { type Box, boxesIn } from "../videos/iso-boxes.ts";
import { UnreadableVideoError } from "../videos/video-error.ts";
import { topBox } from "./heif-properties.ts";
import { reading, type Size, type Source } from "./sources.ts";

/** The animation in an AVIF: its first track of pictures. */
export interface AvifSequence extends Size {
  /** Milliseconds for each frame. */
  delay: number[];
  /** The number of repetitions; 0 for ever. */
  loop: number;
  /** Whether another track has the pictures' transparency. */
  hasAlpha: boolean;
}

/** Decodes all frames of an AVIF: RGBA, 8 bits per sample, each frame below the one before. */
export type DecodeSequence = (source: Source, sequence: AvifSequence) => Promise<Buffer>;

const BRAND = "ftypavis";
const MOST_FRAMES = 5_000;
/** Browsers show a frame with a shorter time for this long, in milliseconds. */
const DEFAULT_DELAY_MS = 100;
const SHORTEST_DELAY_MS = 11;

/** Reads the animation of an AVIF; undefined for another file, and for one whose tables cannot be read or are too long. */
export const avifSequence = (source: Source): Promise<AvifSequence | undefined> =>
  reading(source, async (read) => {
    if ((await read(4, BRAND.length)).toString("latin1") !== BRAND) return undefined;
    const movie = await topBox(read, "moov");
    try {
      return movie && sequenceOf(movie);
    } catch (error) {
      if (error instanceof RangeError || error instanceof UnreadableVideoError) return undefined;
      throw error;
    }
  });

/** The kinds of tracks: pictures, and what belongs to them. */
const [PICTURES, AUXILIARY] = ["pict", "auxv"];

function sequenceOf(movie: Buffer): AvifSequence | undefined {
  const tracks = boxesIn(movie, 0, movie.length).filter(({ type }) => type === "trak");
  const kinds = tracks.map((track) => {
    const handler = inside(movie, track, "mdia", "hdlr");
    return handler && movie.toString("latin1", handler.body + 8, handler.body + 12);
  });
  // ffmpeg calls its pictures a video.
  const first = kinds.findIndex((kind) => kind === PICTURES || kind === "vide");
  const track = tracks[first];
  const header = track && inside(movie, track, "tkhd");
  const delay = track && delaysOf(movie, track);
  if (!header || !delay) return undefined;
  // The sizes are the last two numbers, with 16 bits after the point.
  const [width, height] = [movie.readUInt16BE(header.end - 8), movie.readUInt16BE(header.end - 4)];
  return { width, height, delay, loop: isRepeated(movie, track) ? 0 : 1, hasAlpha: kinds.includes(AUXILIARY) };
}

/** The first box of this path in another one. */
function inside(bytes: Buffer, box: Box, ...path: string[]): Box | undefined {
  const [type, ...rest] = path;
  const child = boxesIn(bytes, box.body, box.end).find((each) => each.type === type);
  return child && rest.length > 0 ? inside(bytes, child, ...rest) : child;
}

function delaysOf(movie: Buffer, track: Box): number[] | undefined {
  const header = inside(movie, track, "mdia", "mdhd");
  const times = inside(movie, track, "mdia", "minf", "stbl", "stts");
  if (!header || !times) return undefined;
  const scale = movie.readUInt32BE(header.body + (movie[header.body] === 1 ? 20 : 12));
  const delays: number[] = [];
  const entries = movie.readUInt32BE(times.body + 4);
  for (let entry = 0, at = times.body + 8; entry < entries; entry++, at += 8) {
    const [count, duration] = [movie.readUInt32BE(at), movie.readUInt32BE(at + 4)];
    if (delays.length + count > MOST_FRAMES || at >= times.end) return undefined;
    const delay = Math.round((duration * 1000) / scale);
    const shown = delay >= SHORTEST_DELAY_MS && delay <= 0xffff ? delay : DEFAULT_DELAY_MS;
    for (let frame = 0; frame < count; frame++) delays.push(shown);
  }
  return delays;
}

/** Whether it begins again at its end: an edit list can end it, and has a flag for repeating itself. */
function isRepeated(movie: Buffer, track: Box): boolean {
  const list = inside(movie, track, "edts", "elst");
  return !list || (movie.readUInt8(list.body + 3) & 1) === 1;
}
