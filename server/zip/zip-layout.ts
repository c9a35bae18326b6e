import {
  directoryRecord,
  directoryRecordLength,
  endRecords,
  localHeader,
  localHeaderLength,
  type ZipEntry,
} from "./zip-records.ts";

/** Bytes from `start` to `end`, both included. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * The layout of an archive, known before its first byte is read: uncompressed files, then the directory. The same
 * entries always yield the same bytes, so that ranges can be requested again.
 */
export interface ZipLayout<Entry extends ZipEntry> {
  /** The size of the archive in bytes. */
  size: number;
  /**
   * The archive's bytes, or a range of them. `open` returns a range of an entry's bytes, by its index, of exactly the
   * requested length; ending the iteration early closes that source too.
   */
  bytes(
    open: (entry: Entry, range: ByteRange, place: number) => AsyncIterable<Uint8Array>,
    range?: ByteRange,
  ): AsyncGenerator<Uint8Array>;
}

export function layOut<Entry extends ZipEntry>(entries: readonly Entry[]): ZipLayout<Entry> {
  const offsets: number[] = [];
  let directoryAt = 0;
  for (const entry of entries) {
    offsets.push(directoryAt);
    directoryAt += localHeaderLength(entry) + entry.size;
  }
  const offsetOf = (place: number) => offsets[place] ?? directoryAt;
  const directorySize = entries.reduce((sum, entry, place) => sum + directoryRecordLength(entry, offsetOf(place)), 0);
  const end = endRecords({ count: entries.length, offset: directoryAt, size: directorySize });
  const size = directoryAt + directorySize + end.length;

  return {
    size,
    async *bytes(open, range = { start: 0, end: size - 1 }) {
      const part = (bytes: Buffer, at: number) =>
        bytes.subarray(Math.max(0, range.start - at), Math.max(0, range.end + 1 - at));

      for (let place = entryAt(offsets, range.start); place < entries.length; place++) {
        const entry = entries[place];
        const at = offsetOf(place);
        if (!entry || at > range.end) return;
        const header = localHeader(entry);
        const headerPart = part(header, at);
        if (headerPart.length > 0) yield headerPart;
        const body = at + header.length;
        const inside = {
          start: Math.max(0, range.start - body),
          end: Math.min(entry.size, range.end + 1 - body) - 1,
        };
        if (inside.start <= inside.end) yield* whole(entry, inside, open(entry, inside, place));
      }
      let at = directoryAt;
      for (const [place, entry] of entries.entries()) {
        if (at > range.end) return;
        const record = part(directoryRecord(entry, offsetOf(place)), at);
        if (record.length > 0) yield record;
        at += directoryRecordLength(entry, offsetOf(place));
      }
      const last = part(end, at);
      if (last.length > 0) yield last;
    },
  };
}

/** The last index whose offset is at most `position`. */
function entryAt(offsets: number[], position: number): number {
  let [low, high] = [0, offsets.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Passes bytes on, and fails if their number differs from the stated size: an aborted archive is better than an invalid
 * one.
 */
async function* whole(entry: ZipEntry, { start, end }: ByteRange, bytes: AsyncIterable<Uint8Array>) {
  let remaining = end - start + 1;
  for await (const chunk of bytes) {
    remaining -= chunk.length;
    if (remaining < 0) break;
    yield chunk;
  }
  if (remaining !== 0) throw new Error(`The bytes of ${entry.path} are not those that were laid out`);
}
