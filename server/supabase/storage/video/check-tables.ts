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
 * bytes. A library that believes them would take all memory, or would give bytes of a private track out as sound.
 */
export async function checkTables(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const boxes = await boxesOf(file, 0, size);
  const movies = boxes.filter(({ type }) => type === "moov");
  const [moov] = movies;
  if (!moov || movies.length > 1) throw new UnreadableVideoError("it has no table of contents, or several");
  const media = boxes.filter(({ type }) => type === "mdat").map(({ body, end }) => ({ start: body, end }));
  const budget = { samples: MAX_SAMPLES };
  const bytes = await readBox(file, moov, MAX_TABLE_BYTES);
  const spans: Span[] = [];
  const defaults = new Map<number, TrackDefaults>();
  for (const box of boxesIn(bytes, 0, bytes.length)) {
    if (box.type === "trak") spans.push(...trackSpans(bytes, box, budget));
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

/** Where the samples of a track lie, chunk by chunk. */
function trackSpans(moov: Buffer, trak: Box, budget: { samples: number }): Span[] {
  const inside = (box: Box | undefined, type: string) =>
    box && boxesIn(moov, box.body, box.end).find((child) => child.type === type);
  const tables = inside(inside(inside(trak, "mdia"), "minf"), "stbl");
  if (!tables) return [];
  const table = (...types: string[]) => {
    const box = boxesIn(moov, tables.body, tables.end).find(({ type }) => types.includes(type));
    return box && new TableReader(moov.subarray(box.body, box.end));
  };
  for (const type of ["stts", "ctts"]) {
    const times = table(type);
    let samples = 0;
    for (let index = 0, count = times?.count(4, 8) ?? 0; index < count; index++)
      samples += times?.word(8 + index * 8) ?? 0;
    if (samples > budget.samples) throw new UnreadableVideoError("its tables claim too many samples");
  }
  table("stss")?.count(4, 4);
  const sizes = table("stsz");
  const chunks = table("stco", "co64");
  const groups = table("stsc");
  if (!sizes || !chunks || !groups) return [];
  const constant = sizes.word(4);
  const samples = constant > 0 ? sizes.word(8) : sizes.count(8, 4);
  budget.samples -= samples;
  if (budget.samples < 0) throw new UnreadableVideoError("its tables claim too many samples");
  const isWide = boxesIn(moov, tables.body, tables.end).some(({ type }) => type === "co64");
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
