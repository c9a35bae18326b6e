import { Buffer } from "node:buffer";
import type { MediaCodec } from "mediabunny";
import { filterObus } from "./av1-obus.ts";
import { filterNalUnits, type NalFilter, type NalFraming } from "./nal-units.ts";
import { filterH264Unit, filterHevcUnit } from "./sei.ts";

/** What to do with a stream so that it holds nothing but pictures or sound. */
export interface StreamPrivacy {
  /** The decoder's settings without private data; undefined where the codec needs none. */
  description: Uint8Array | undefined;
  /** A packet's bytes without private data; empty where nothing is left. */
  filter: (data: Uint8Array) => Uint8Array;
  /** How its units follow each other, where it has NAL units. */
  framing?: NalFraming;
}

const unchanged = (data: Uint8Array) => data;

/** How a stream of this codec with these decoder settings is cleaned. */
export function streamPrivacy(codec: MediaCodec, description: Uint8Array | undefined): StreamPrivacy {
  if (codec === "avc") return nalPrivacy(description, description?.[4], filterH264Unit, unchanged);
  if (codec === "hevc") return nalPrivacy(description, description?.[21], filterHevcUnit, withoutHevcNotes);
  if (codec === "av1") {
    const clean = description && Buffer.concat([description.subarray(0, 4), filterObus(description.subarray(4))]);
    return { description: clean, filter: filterObus };
  }
  const clean = DESCRIPTIONS[codec];
  return { description: description && clean ? clean(description) : description, filter: unchanged };
}

function nalPrivacy(
  description: Uint8Array | undefined,
  lengthByte: number | undefined,
  filter: NalFilter,
  clean: (description: Uint8Array) => Uint8Array,
): StreamPrivacy {
  // The lowest two bits say how long a unit's length is; without settings the stream has start codes.
  const framing: NalFraming = lengthByte === undefined ? "start codes" : (lengthByte & 3) + 1;
  return {
    framing,
    description: description && clean(description),
    filter: (data) => filterNalUnits(data, framing, filter),
  };
}

const HEVC_HEADER_BYTES = 23;

/** An HEVC configuration record with its arrays of parameter sets only: encoders put SEI beside them. */
function withoutHevcNotes(record: Uint8Array): Uint8Array {
  const bytes = Buffer.from(record);
  const arrays: Buffer[] = [];
  let position = HEVC_HEADER_BYTES;
  const half = () => (position + 2 <= bytes.length ? bytes.readUInt16BE(position) : 0);
  for (let left = bytes[22] ?? 0; left > 0 && position + 3 <= bytes.length; left--) {
    const start = position;
    position += 1;
    const units = half();
    position += 2;
    for (let unit = 0; unit < units && position < bytes.length; unit++) position += 2 + half();
    const type = (bytes[start] ?? 0) & 63;
    if (position <= bytes.length && type >= 32 && type <= 34) arrays.push(bytes.subarray(start, position));
  }
  const header = Buffer.from(bytes.subarray(0, HEVC_HEADER_BYTES));
  header[22] = arrays.length;
  return Buffer.concat([header, ...arrays]);
}

/** Decoder settings of sound that may hold comments beside what the decoder needs. */
const DESCRIPTIONS: Partial<Record<MediaCodec, (description: Uint8Array) => Uint8Array>> = {
  opus: (head) => head.subarray(0, head[18] === 0 ? 19 : 21 + (head[9] ?? 0)),
  vorbis: withoutVorbisComments,
  // The marker, and of the metadata blocks the first: STREAMINFO, now the last one.
  flac: (blocks) => {
    const clean = Buffer.from(blocks.subarray(0, 42));
    clean[4] = 0x80;
    return clean;
  },
};

/** A comment header without a vendor and without comments. */
const NO_COMMENTS = Buffer.from("\x03vorbis\0\0\0\0\0\0\0\0\x01", "latin1");

/** Vorbis' three headers in Xiph lacing, the second of them empty. */
function withoutVorbisComments(headers: Uint8Array): Uint8Array {
  if (headers[0] !== 2) return headers;
  let position = 1;
  const lacedLength = () => {
    let length = 0;
    while (headers[position] === 255) {
      length += 255;
      position += 1;
    }
    length += headers[position] ?? 0;
    position += 1;
    return length;
  };
  const [first, comments] = [lacedLength(), lacedLength()];
  const identification = headers.subarray(position, position + first);
  const setup = headers.subarray(position + first + comments);
  const lacing = [...new Array(Math.floor(first / 255)).fill(255), first % 255, NO_COMMENTS.length];
  return Buffer.concat([Buffer.from([2, ...lacing]), identification, NO_COMMENTS, setup]);
}
