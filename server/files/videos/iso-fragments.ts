import { type Box, boxesIn } from "./iso-boxes.ts";
import { type Span, TableReader } from "./table-reader.ts";
import { UnreadableVideoError } from "./video-error.ts";

/** What a track's samples have where a fragment does not say. */
export interface TrackDefaults {
  /** Bytes of each sample. */
  size: number;
}

/** Flags of a fragment's header: which fields follow its track's number, in this order, each with its bytes. */
const HEADER_FIELDS = [
  [0x1, 8],
  [0x2, 4],
  [0x8, 4],
  [0x10, 4],
  [0x20, 4],
] as const;
const SIZE_IN_HEADER = 0x10;
const BASE_IN_HEADER = 0x1;
/** Fields of each sample of a run, four bytes each: duration, size, flags, offset in time. */
const RUN_FIELDS = [0x100, 0x200, 0x400, 0x800];
const SIZE_IN_RUN = 0x200;

/** Where the samples of a fragment (`moof`) lie; `fragment` is its content. */
export function fragmentSpans(
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
  // Every sample takes a byte of the table or of the media data: no number alone makes the library work.
  if (count > 0 && entryBytes > 0) run.word(first + count * entryBytes - 4);
  if (count > 0 && size === 0 && entryBytes === 0) throw new UnreadableVideoError("its samples have no bytes");
  if (!(flags & SIZE_IN_RUN)) return { start, end: start + count * size };
  let end = start;
  const sizeAt = first + (flags & 0x100 ? 4 : 0);
  for (let index = 0; index < count; index++) end += run.word(sizeAt + index * entryBytes);
  return { start, end };
}
