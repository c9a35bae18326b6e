import { type Blank, MOST_BLANKS, type Stretch } from "./blanks.ts";
import type { ByteSource } from "./byte-source.ts";
import { boxAt, boxesIn, contentOf, type Loaded } from "./iso-box.ts";
import type { Track } from "./iso-tracks.ts";
import { UnreadableVideo } from "./video-error.ts";

/** How a track's pictures are cut into units: how many bytes say a unit's length, and which units may hold notes (SEI). */
interface Units {
  lengthBytes: number;
  /** Of the unit itself, before its messages. */
  headerBytes: number;
  isNotes: (header: number) => boolean;
}

const H264_SEI = 6;
const HEVC_SEI = [39, 40];
/** Messages that are whatever a vendor likes: cameras and cars write there where, when and with what they record. */
const VENDORS_OWN = [4, 5];
/** A message that decoders do not know; unlike zeros it can not be taken for the beginning of another unit. */
const NOBODYS = 0xff;
/** Where a picture's description holds other boxes. */
const DESCRIPTION_BYTES = 78;
/** Notes are a few hundred bytes. */
const MOST_NOTES_BYTES = 256 * 1024;

/** How the pictures of a track are cut into units; undefined where they are not H.264 or HEVC. */
export function unitsOf(moov: Loaded, { box }: Track): Units | undefined {
  const stsd = boxAt(moov, box, "mdia", "minf", "stbl", "stsd");
  if (!stsd) return undefined;
  for (const entry of boxesIn(moov, stsd.body + 8, stsd.end).boxes) {
    if (entry.end - entry.body < DESCRIPTION_BYTES) continue;
    for (const inner of boxesIn(moov, entry.body + DESCRIPTION_BYTES, entry.end).boxes) {
      if (inner.type === "avcC") {
        const lengthBytes = (contentOf(moov, inner).byte(4) & 3) + 1;
        return { lengthBytes, headerBytes: 1, isNotes: (header) => (header & 31) === H264_SEI };
      }
      if (inner.type === "hvcC") {
        const lengthBytes = (contentOf(moov, inner).byte(21) & 3) + 1;
        return { lengthBytes, headerBytes: 2, isNotes: (header) => HEVC_SEI.includes((header >> 1) & 63) };
      }
    }
  }
  return undefined;
}

/**
 * What is to be put over the notes between a track's pictures, so that everything stays as long as it is. A stretch that
 * can not be followed any further is nothing that a decoder could follow either.
 */
export async function notesIn(source: ByteSource, stretches: Stretch[], units: Units): Promise<Blank[]> {
  const { lengthBytes, headerBytes, isNotes } = units;
  const blanks: Blank[] = [];
  // Two tracks may show the same pictures.
  for (const { start, end } of new Map(stretches.map((stretch) => [stretch.start, stretch])).values()) {
    for (let at = start; at + lengthBytes + headerBytes <= end; ) {
      const head = await source.read(at, lengthBytes + 1);
      if (head.length <= lengthBytes) break;
      const length = head.readUIntBE(0, lengthBytes);
      at += lengthBytes;
      if (at + length > end) break;
      if (length > headerBytes && isNotes(head.readUInt8(lengthBytes))) {
        if (length > MOST_NOTES_BYTES || blanks.length > MOST_BLANKS)
          throw new UnreadableVideo("its notes are too large");
        const unit = await source.read(at, length);
        for (const blank of vendorsOwn(unit, headerBytes, at)) blanks.push(blank);
      }
      at += length;
    }
  }
  return blanks;
}

/** The payloads of a unit of notes that are a vendor's own; `at` is where the unit lies in the file. */
function vendorsOwn(unit: Buffer, headerBytes: number, at: number): Blank[] {
  const { places, fixed } = meaningOf(unit);
  const byte = (index: number) => unit[places[index] ?? unit.length] ?? 0;
  const blanks: Blank[] = [];
  let next = headerBytes;
  /** A number as these units write it: so many times 255, and the rest. */
  const number = () => {
    let sum = 0;
    while (next < places.length && byte(next) === 255) {
      sum += 255;
      next++;
    }
    return sum + byte(next++);
  };
  // The last byte ends the unit.
  while (next + 2 < places.length) {
    const [type, size] = [number(), number()];
    const payload = places.slice(next, next + size);
    next += size;
    if (!VENDORS_OWN.includes(type)) continue;
    for (const place of payload) {
      if (fixed.has(place)) continue;
      const last = blanks.at(-1);
      if (last && last.at + last.length === at + place) last.length++;
      else blanks.push({ at: at + place, length: 1, fill: NOBODYS });
    }
  }
  return blanks;
}

/**
 * The places of a unit's bytes that mean something: a three after two zeros is put in by its writer, so that nothing looks
 * like the beginning of a unit. With those that keep such a three what it is: fixed, lest the unit becomes longer.
 */
function meaningOf(unit: Buffer): { places: number[]; fixed: Set<number> } {
  const places: number[] = [];
  const fixed = new Set<number>();
  let zeros = 0;
  for (const [place, byte] of unit.entries()) {
    if (zeros >= 2 && byte === 3) {
      for (const kept of [place - 2, place - 1, place + 1]) fixed.add(kept);
      zeros = 0;
    } else {
      zeros = byte === 0 ? zeros + 1 : 0;
      places.push(place);
    }
  }
  return { places, fixed };
}
