import type { FileHandle } from "node:fs/promises";
import { type Box, boxesIn, boxesOf, readBox } from "./iso-boxes.ts";
import { UnreadableVideoError } from "./video-error.ts";

/** The maximum number of samples of all tracks; a day of video has fewer. */
const MAX_SAMPLES = 8_000_000;
/** The maximum size of tables; those of a day of video are smaller. */
const MAX_TABLE_BYTES = 128 * 1024 * 1024;

/**
 * Rejects a movie whose tables claim more than they contain, or refer to bytes twice or outside its media data. The
 * library would use all memory for them, or output bytes of a private track as sound. `frameBytes` has, by track, the
 * size of a sample of uncompressed sound, because the library derives it from the codec and not from the tables.
 */
export async function checkTables(file: FileHandle, frameBytes = new Map<number, number>()): Promise<void> {
  const { size } = await file.stat();
  const boxes = await boxesOf(file, 0, size);
  const movies = boxes.filter(({ type }) => type === "moov");
  const [moov] = movies;
  if (!moov || movies.length > 1) throw new UnreadableVideoError("it has no table of contents, or several");
  const media = boxes.filter(({ type }) => type === "mdat").map(({ body, end }) => ({ start: body, end }));
  const budget = { samples: MAX_SAMPLES };
  const bytes = await readBox(file, moov, MAX_TABLE_BYTES);
  const spans: Span[] = [];
  const ids = new Set<number>();
  const defaults = new Map<number, TrackDefaults>();
  for (const box of boxesIn(bytes, 0, bytes.length)) {
    if (box.type === "trak") {
      const id = trackId(bytes, box);
      if (ids.has(id)) throw new UnreadableVideoError("two of its tracks have the same number");
      ids.add(id);
      spans.push(...trackSpans(bytes, box, budget, frameBytes.get(id)));
    }
    if (box.type !== "mvex") continue;
    for (const { type, body, end } of boxesIn(bytes, box.body, box.end)) {
      if (type !== "trex") continue;
      const reader = new TableReader(bytes.subarray(body, end));
      defaults.set(reader.word(4), { size: reader.word(16) });
    }
  }
  let tableBytes = bytes.length;
  for (const moof of boxes.filter(({ type }) => type === "moof")) {
    tableBytes += moof.end - moof.body;
    if (tableBytes > MAX_TABLE_BYTES) throw new UnreadableVideoError("its tables are too large");
    const fragment = await readBox(file, moof, MAX_TABLE_BYTES);
    spans.push(...fragmentSpans(fragment, moof, defaults, budget));
  }
  checkSpans(spans, media);
}

/** Returns the child of one of these types. Rejects several, because the library may read a different one. */
function childOf(moov: Buffer, box: Box, ...types: string[]): Box | undefined {
  const [child, other] = boxesIn(moov, box.body, box.end).filter(({ type }) => types.includes(type));
  if (other) throw new UnreadableVideoError("one of its tables is there twice");
  return child;
}

/** Returns the child of one of these types; rejects if it is missing. */
function requiredChild(moov: Buffer, box: Box, ...types: string[]): Box {
  const child = childOf(moov, box, ...types);
  if (!child) throw new UnreadableVideoError("one of its tracks lacks a table");
  return child;
}

function trackId(moov: Buffer, trak: Box): number {
  const { body, end } = requiredChild(moov, trak, "tkhd");
  const header = new TableReader(moov.subarray(body, end));
  // Version 1 has two times of eight bytes instead of four.
  return header.word(header.bytes[0] === 1 ? 20 : 12);
}

/** The byte ranges of a track's chunks. */
function trackSpans(moov: Buffer, trak: Box, budget: { samples: number }, frameBytes: number | undefined): Span[] {
  const tables = requiredChild(moov, requiredChild(moov, requiredChild(moov, trak, "mdia"), "minf"), "stbl");
  const reader = ({ body, end }: Box) => new TableReader(moov.subarray(body, end));
  const table = (type: string) => {
    const box = childOf(moov, tables, type);
    return box && reader(box);
  };
  table("stss")?.count(4, 4);
  const sizes = reader(requiredChild(moov, tables, "stsz"));
  const offsets = requiredChild(moov, tables, "stco", "co64");
  const chunks = reader(offsets);
  const groups = reader(requiredChild(moov, tables, "stsc"));
  const claimed = sizes.word(4);
  const constant = frameBytes ?? claimed;
  const samples = claimed > 0 ? sizes.word(8) : sizes.count(8, 4);
  budget.samples -= samples;
  if (budget.samples < 0) throw new UnreadableVideoError("its tables claim too many samples");
  for (const type of ["stts", "ctts"]) {
    const times = table(type);
    let timed = 0;
    for (let index = 0, count = times?.count(4, 8) ?? 0; index < count; index++)
      timed += times?.word(8 + index * 8) ?? 0;
    // The library expands these tables. Without this limit, one large number would cause unbounded work.
    if (timed > samples) throw new UnreadableVideoError("its tables claim more times than samples");
  }
  const isWide = offsets.type === "co64";
  const chunkCount = chunks.count(4, isWide ? 8 : 4);
  const groupCount = groups.count(4, 12);

  const spans: Span[] = [];
  let sample = 0;
  for (let group = 0; group < groupCount; group++) {
    const first = groups.word(8 + group * 12);
    const next = group + 1 < groupCount ? groups.word(8 + (group + 1) * 12) : chunkCount + 1;
    const each = groups.word(12 + group * 12);
    if (first < 1 || next < first || next > chunkCount + 1)
      throw new UnreadableVideoError("its chunks are out of order");
    for (let chunk = first; chunk < next; chunk++) {
      if (sample + each > samples) throw new UnreadableVideoError("its chunks hold more samples than there are");
      const at = 8 + (chunk - 1) * (isWide ? 8 : 4);
      const start = isWide ? chunks.long(at) : chunks.word(at);
      let length = constant * each;
      if (constant === 0) for (let i = 0; i < each; i++) length += sizes.word(12 + (sample + i) * 4);
      sample += each;
      spans.push({ start, end: start + length });
    }
  }
  if (sample !== samples) throw new UnreadableVideoError("its chunks hold fewer samples than there are");
  return spans;
}

/** Rejects ranges outside the media data, and ranges that overlap. */
function checkSpans(spans: Span[], media: Span[]): void {
  spans.sort((a, b) => a.start - b.start);
  media.sort((a, b) => a.start - b.start);
  let [position, index] = [0, 0];
  for (const { start, end } of spans) {
    if (start === end) continue;
    let data = media[index];
    while (data && data.end < end) data = media[++index];
    if (!data || start < data.start) throw new UnreadableVideoError("its tables lead out of its media data");
    if (start < position) throw new UnreadableVideoError("its tables lead to the same bytes twice");
    position = end;
  }
}

/** The default values of a track's samples, for fragments that omit them. */
interface TrackDefaults {
  /** Bytes of each sample. */
  size: number;
}

/** The flags of a fragment's header and the bytes of their fields, in the fields' order after the track's number. */
const HEADER_FIELDS = [
  [0x1, 8],
  [0x2, 4],
  [0x8, 4],
  [0x10, 4],
  [0x20, 4],
] as const;
const SIZE_IN_HEADER = 0x10;
const BASE_IN_HEADER = 0x1;
/** The fields of each sample in a run, four bytes each: duration, size, flags and composition offset. */
const RUN_FIELDS = [0x100, 0x200, 0x400, 0x800];
const SIZE_IN_RUN = 0x200;

/** The byte ranges of the samples of a fragment (`moof`) with the content `fragment`. */
function fragmentSpans(
  fragment: Buffer,
  moof: Box,
  defaults: Map<number, TrackDefaults>,
  budget: { samples: number },
): Span[] {
  const spans: Span[] = [];
  for (const traf of boxesIn(fragment, 0, fragment.length)) {
    if (traf.type !== "traf") continue;
    const children = boxesIn(fragment, traf.body, traf.end);
    const header = children.find(({ type }) => type === "tfhd");
    if (!header) throw new UnreadableVideoError("one of its fragments has no header");
    const tfhd = new TableReader(fragment.subarray(header.body, header.end));
    const flags = tfhd.word(0) & 0xffffff;
    const fieldAt = (field: number) =>
      HEADER_FIELDS.reduce((at, [flag, bytes]) => at + (flag < field && flags & flag ? bytes : 0), 8);
    const base = flags & BASE_IN_HEADER ? tfhd.long(8) : moof.at;
    const size = flags & SIZE_IN_HEADER ? tfhd.word(fieldAt(SIZE_IN_HEADER)) : (defaults.get(tfhd.word(4))?.size ?? 0);
    let position = base;
    for (const { type, body, end } of children) {
      if (type !== "trun") continue;
      const run = runSpan(new TableReader(fragment.subarray(body, end)), { base, position, size }, budget);
      spans.push(run);
      position = run.end;
    }
  }
  return spans;
}

function runSpan(
  run: TableReader,
  { base, position, size }: { base: number; position: number; size: number },
  budget: { samples: number },
): Span {
  const flags = run.word(0) & 0xffffff;
  const entryBytes = RUN_FIELDS.filter((flag) => flags & flag).length * 4;
  const count = run.word(4);
  const start = flags & 1 ? base + run.signed(8) : position;
  const first = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  budget.samples -= count;
  if (budget.samples < 0) throw new UnreadableVideoError("its tables claim too many samples");
  // Each sample must occupy a byte of the table or of the media data, so that a large count alone causes no work.
  if (count > 0 && entryBytes > 0) run.word(first + count * entryBytes - 4);
  if (count > 0 && size === 0 && entryBytes === 0) throw new UnreadableVideoError("its samples have no bytes");
  if (!(flags & SIZE_IN_RUN)) return { start, end: start + count * size };
  let end = start;
  const sizeAt = first + (flags & 0x100 ? 4 : 0);
  for (let index = 0; index < count; index++) end += run.word(sizeAt + index * entryBytes);
  return { start, end };
}

/** A byte range of a file; `end` is exclusive. */
interface Span {
  start: number;
  end: number;
}

/** Reads numbers of a box's content; rejects reads beyond its end. */
class TableReader {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  word(at: number): number {
    this.#check(at + 4);
    return this.bytes.readUInt32BE(at);
  }

  signed(at: number): number {
    this.#check(at + 4);
    return this.bytes.readInt32BE(at);
  }

  long(at: number): number {
    this.#check(at + 8);
    return Number(this.bytes.readBigUInt64BE(at));
  }

  /** Reads the number of entries at `at`; rejects if the table is too short for entries of so many bytes. */
  count(at: number, entryBytes: number): number {
    const count = this.word(at);
    this.#check(at + 4 + count * entryBytes);
    return count;
  }

  #check(end: number): void {
    if (end > this.bytes.length) throw new UnreadableVideoError("one of its tables ends early");
  }
}
