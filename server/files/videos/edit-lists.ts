import { type FileHandle, open } from "node:fs/promises";
import { type Box, boxesIn, boxesOf, readBox } from "./iso-boxes.ts";
import { UnreadableVideoError } from "./video-error.ts";

/** A part of a track that a player plays, or a pause. */
export interface Piece {
  /** Its duration in seconds, as played. */
  seconds: number;
  /** Where it begins in the track's media, in seconds; undefined for a pause. */
  start: number | undefined;
  /** Seconds of media for a second of playing; 0 for a picture that stands still. */
  rate: number;
}

/** The edit list of a track: what a player plays of it. */
export interface TrackEdits {
  /** The track's number. */
  id: number;
  kind: "video" | "audio";
  /** What is played, in this order. Neighbours that continue each other are one piece. */
  pieces: Piece[];
  /** Whether a part is played out of order, again, at another speed, or after a pause in the middle. */
  isComplex: boolean;
  /** The pause before the first part, in seconds. */
  lead: number;
  /** Seconds that are played, with the pauses; infinite if the list names no end. */
  seconds: number;
  /** Seconds of media before the first piece and after the last one. The end of a movie in fragments is unknown: 0. */
  hiddenStart: number;
  hiddenEnd: number;
}

/** The maximum size of a table of contents; that of a day of video is smaller. */
const MAX_MOOV_BYTES = 128 * 1024 * 1024;
const MAX_EDITS = 10_000;
/** The maximum number of pieces; a person's cuts have fewer. */
const MAX_PIECES = 200;
/** Two pieces with a smaller gap than this continue each other, because their times are rounded. */
const GAP_SECONDS = 0.002;
const UNITY = 0x10000;

/** Sound starts with samples that only prepare its decoder: 2,112 of AAC, more with spectral band replication. */
const PRIMING_SECONDS = 0.15;

/** Whether a list cuts off more than what decoders need and rounding explains. */
export const isTrimmed = ({ kind, isComplex, hiddenStart, hiddenEnd }: TrackEdits): boolean =>
  isComplex ||
  hiddenStart > (kind === "audio" ? PRIMING_SECONDS : 0) ||
  hiddenEnd > (kind === "audio" ? PRIMING_SECONDS : GAP_SECONDS);

/** What a player plays of the pictures and sounds of a movie; empty for another container. */
export async function readEdits(path: string): Promise<TrackEdits[]> {
  const file = await open(path);
  try {
    return await editsOf(file);
  } catch (error) {
    // A box that ends before its fields.
    if (error instanceof RangeError) throw new UnreadableVideoError("its edits do not fit", { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

async function editsOf(file: FileHandle): Promise<TrackEdits[]> {
  const { size } = await file.stat();
  const moov = (await boxesOf(file, 0, size)).find(({ type }) => type === "moov");
  if (!moov) return [];
  const bytes = await readBox(file, moov, MAX_MOOV_BYTES);
  const boxes = boxesIn(bytes, 0, bytes.length);
  const header = boxes.find(({ type }) => type === "mvhd");
  const timescale = header ? timesOf(bytes, header).timescale : 0;
  if (timescale === 0) return [];
  // The fragments after the table of contents continue its tracks.
  const isOpen = boxes.some(({ type }) => type === "mvex");
  return boxes.flatMap((box) => (box.type === "trak" ? (trackEdits(bytes, box, { timescale, isOpen }) ?? []) : []));
}

/** A child at this path. */
function within(bytes: Buffer, box: Box, ...path: string[]): Box | undefined {
  let parent: Box | undefined = box;
  for (const type of path) {
    if (!parent) return undefined;
    parent = boxesIn(bytes, parent.body, parent.end).find((child) => child.type === type);
  }
  return parent;
}

interface Movie {
  timescale: number;
  /** Whether its tracks continue after what its table of contents describes. */
  isOpen: boolean;
}

function trackEdits(bytes: Buffer, trak: Box, movie: Movie): TrackEdits | undefined {
  const [tkhd, mdhd] = [within(bytes, trak, "tkhd"), within(bytes, trak, "mdia", "mdhd")];
  const [hdlr, elst] = [within(bytes, trak, "mdia", "hdlr"), within(bytes, trak, "edts", "elst")];
  if (!tkhd || !mdhd || !hdlr || hdlr.end - hdlr.body < 12) return undefined;
  const handler = bytes.toString("latin1", hdlr.body + 8, hdlr.body + 12);
  const kind = handler === "vide" ? "video" : handler === "soun" ? "audio" : undefined;
  const { timescale, duration } = timesOf(bytes, mdhd);
  if (!kind || timescale === 0) return undefined;
  const described = duration > 0 ? duration / timescale : Number.POSITIVE_INFINITY;
  const entries = elst ? entriesOf(bytes, elst, movie.timescale, timescale) : [];
  const pieces = entries.length > 0 ? joined(entries) : [{ seconds: described, start: 0, rate: 1 }];
  const last = pieces.at(-1);
  // A last piece that plays all that is described also plays the fragments.
  if (movie.isOpen && last?.start !== undefined && last.start + last.seconds * last.rate > described - GAP_SECONDS)
    last.seconds = Number.POSITIVE_INFINITY;
  if (pieces.length > MAX_PIECES) throw new UnreadableVideoError("it is cut into too many pieces");
  const first = pieces.findIndex(({ start }) => start !== undefined);
  const parts = pieces.slice(Math.max(0, first)).filter(({ start }) => start !== undefined);
  const [part] = parts;
  // A pause after the last part shows nothing.
  const isSingle = parts.length === 1 && part?.rate === 1;
  const end = part?.start === undefined ? 0 : part.start + part.seconds;
  const id = bytes.readUInt32BE(tkhd.body + (bytes[tkhd.body] === 1 ? 20 : 12));
  return {
    id,
    kind,
    pieces,
    isComplex: !isSingle,
    lead: pieces.slice(0, Math.max(0, first)).reduce((sum, { seconds }) => sum + seconds, 0),
    seconds: pieces.reduce((sum, { seconds }) => sum + seconds, 0),
    hiddenStart: part?.start ?? 0,
    hiddenEnd: Number.isFinite(end) && duration > 0 ? Math.max(0, duration / timescale - end) : 0,
  };
}

/** The timescale and the duration in its units, of a header of a movie or of a track's media. */
function timesOf(bytes: Buffer, { body, end }: Box): { timescale: number; duration: number } {
  const isLong = bytes[body] === 1;
  if (end - body < (isLong ? 32 : 20)) return { timescale: 0, duration: 0 };
  const timescale = bytes.readUInt32BE(body + (isLong ? 20 : 12));
  const duration = isLong ? Number(bytes.readBigUInt64BE(body + 24)) : bytes.readUInt32BE(body + 16);
  // All bits set means that it is unknown.
  return { timescale, duration: duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1) ? 0 : duration };
}

function entriesOf(bytes: Buffer, { body, end }: Box, movieScale: number, timescale: number): Piece[] {
  const isLong = bytes[body] === 1;
  const entryBytes = isLong ? 20 : 12;
  if (end - body < 8) return [];
  const count = bytes.readUInt32BE(body + 4);
  if (count > MAX_EDITS || body + 8 + count * entryBytes > end) throw new UnreadableVideoError("its edits do not fit");
  return Array.from({ length: count }, (_, index) => {
    const at = body + 8 + index * entryBytes;
    const duration = isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
    const time = isLong ? Number(bytes.readBigInt64BE(at + 8)) : bytes.readInt32BE(at + 4);
    const rate = bytes.readInt32BE(at + (isLong ? 16 : 8)) / UNITY;
    // Movies in fragments name no duration: everything from here.
    const isOpen = duration === 0 && index === count - 1;
    return {
      seconds: isOpen ? Number.POSITIVE_INFINITY : duration / movieScale,
      start: time < 0 ? undefined : time / timescale,
      rate: time < 0 ? 1 : Math.max(0, rate),
    };
  }).filter(({ seconds }) => seconds > 0);
}

/** Joins neighbours that continue each other, also two pauses. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const continues =
      last !== undefined &&
      (last.start === undefined
        ? piece.start === undefined
        : piece.start !== undefined &&
          last.rate === piece.rate &&
          Math.abs(last.start + last.seconds * last.rate - piece.start) < GAP_SECONDS);
    if (last && continues) last.seconds += piece.seconds;
    else result.push({ ...piece });
  }
  return result;
}

/** The seconds that a player plays of a movie: those of its longest track; undefined if its lists do not say. */
export function playedSeconds(edits: readonly TrackEdits[]): number | undefined {
  const longest = Math.max(0, ...edits.map(({ seconds }) => seconds));
  return Number.isFinite(longest) && longest > 0 ? longest : undefined;
}
