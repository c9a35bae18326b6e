import type { FileHandle } from "node:fs/promises";
import { type Box, boxesIn, boxesOf, readBox } from "./iso-boxes.ts";
import { fragmentSpans, type TrackDefaults } from "./iso-fragments.ts";
import { type Span, TableReader } from "./table-reader.ts";
import { UnreadableVideoError } from "./video-error.ts";

/** Samples of all tracks together; a day of video has fewer. */
const MAX_SAMPLES = 8_000_000;
/** Tables of a day of video take less. */
const MAX_TABLE_BYTES = 128 * 1024 * 1024;

/**
 * Refuses a movie whose tables claim more than they hold, lead out of its media data, or lead two tracks to the same
 * bytes. A library that believes them would take all memory, or would give bytes of a private track out as sound. `frameBytes` says, by track, how many bytes a sample of uncompressed sound has:
 * the library goes by its codec and not by its tables.
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

/** The one child of these types; refused where there are several, since the library may take another one. */
function childOf(moov: Buffer, box: Box, ...types: string[]): Box | undefined {
  const [child, other] = boxesIn(moov, box.body, box.end).filter(({ type }) => types.includes(type));
  if (other) throw new UnreadableVideoError("one of its tables is there twice");
  return child;
}

/** The same child where every movie has one. */
function requiredChild(moov: Buffer, box: Box, ...types: string[]): Box {
  const child = childOf(moov, box, ...types);
  if (!child) throw new UnreadableVideoError("one of its tracks lacks a table");
  return child;
}

function trackId(moov: Buffer, trak: Box): number {
  const { body, end } = requiredChild(moov, trak, "tkhd");
  const header = new TableReader(moov.subarray(body, end));
  // The wider version has its two times in eight bytes each.
  return header.word(header.bytes[0] === 1 ? 20 : 12);
}

/** Where the samples of a track lie, chunk by chunk. */
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
    // The library unrolls them: what is not bounded by bytes would be all the work that a number asks for.
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

/** Every span lies in media data, and no two share a byte. */
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
