import { Buffer } from "node:buffer";
import type { MediaCodec } from "mediabunny";
import { UnreadableVideoError } from "./video-error.ts";

/** A filter that removes everything but pictures or sound from a stream. */
interface StreamPrivacy {
  /** The decoder's settings without private data; undefined if the codec has none. */
  description: Uint8Array | undefined;
  /** A packet's bytes without private data; empty if nothing is left. */
  filter: (data: Uint8Array) => Uint8Array;
  /** The framing of NAL units, if the codec has them. */
  framing?: NalFraming;
}

const unchanged = (data: Uint8Array) => data;

/** Returns the filter for a stream of this codec with these decoder settings. */
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
  // The lowest two bits hold the size of a unit's length, minus one. A stream without settings has start codes.
  const framing: NalFraming = lengthByte === undefined ? "start codes" : (lengthByte & 3) + 1;
  return {
    framing,
    description: description && clean(description),
    filter: (data) => filterNalUnits(data, framing, filter),
  };
}

const HEVC_HEADER_BYTES = 23;

/** Returns an HEVC configuration record with only its parameter sets, because encoders also store SEI there. */
function withoutHevcNotes(record: Uint8Array): Uint8Array {
  const bytes = Buffer.from(record);
  const arrays: Buffer[] = [];
  let position = HEVC_HEADER_BYTES;
  const half = () => (position + 2 <= bytes.length ? bytes.readUInt16BE(position) : 0);
  for (let remaining = bytes[22] ?? 0; remaining > 0 && position + 3 <= bytes.length; remaining--) {
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

/** Cleans the decoder settings of audio codecs that may contain comments. */
const DESCRIPTIONS: Partial<Record<MediaCodec, (description: Uint8Array) => Uint8Array>> = {
  opus: (head) => head.subarray(0, head[18] === 0 ? 19 : 21 + (head[9] ?? 0)),
  vorbis: withoutVorbisComments,
  // The marker and the first metadata block, STREAMINFO, now marked as the last one.
  flac: (blocks) => {
    const clean = Buffer.from(blocks.subarray(0, 42));
    clean[4] = 0x80;
    return clean;
  },
};

/** A comment header without vendor and comments. */
const NO_COMMENTS = Buffer.from("\x03vorbis\0\0\0\0\0\0\0\0\x01", "latin1");

/** Vorbis' three headers in Xiph lacing, with an empty comment header. */
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

/** The framing of NAL units: the size of the length before each unit, or start codes (Annex B). */
export type NalFraming = number | "start codes";

/** Returns the unit, a replacement, or nothing to remove it. */
type NalFilter = (unit: Uint8Array) => Uint8Array | undefined;

/**
 * Passes each NAL unit of a packet through a filter. Rejects a packet with bytes outside its units: its tables are
 * wrong, and private bytes could pass as a picture. Returns the same array if nothing changes.
 */
function filterNalUnits(data: Uint8Array, framing: NalFraming, filter: NalFilter): Uint8Array {
  const { units, whole } = framing === "start codes" ? annexBUnits(data) : prefixedUnits(data, framing);
  units.forEach(checkUnit);
  const filtered = units.map(filter);
  if (whole && filtered.every((unit, index) => unit === units[index])) return data;
  const prefix = (unit: Uint8Array) => (framing === "start codes" ? START_CODE : lengthPrefix(unit.length, framing));
  return Buffer.concat(filtered.flatMap((unit) => (unit ? [prefix(unit), unit] : [])));
}

/** Whether other data, e.g. sound, is a complete packet of NAL units. */
export function isNalUnits(data: Uint8Array, framing: NalFraming): boolean {
  if (data.length < MIN_PACKET_BYTES) return false;
  try {
    const { units } = framing === "start codes" ? annexBUnits(data) : prefixedUnits(data, framing);
    units.forEach(checkUnit);
    return units.length > 0;
  } catch (error) {
    if (error instanceof UnreadableVideoError) return false;
    throw error;
  }
}

/** The minimum size of a tested packet; fewer bytes could be a NAL unit by chance. */
const MIN_PACKET_BYTES = 6;

/**
 * Rejects a unit that no encoder writes. Within a unit, two zero bytes are always followed by a byte of at least 3,
 * which distinguishes them from a start code. Other data, or several units in one, rarely satisfies this.
 */
function checkUnit(unit: Uint8Array): void {
  const bytes = Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength);
  let end = bytes.length;
  // Some encoders append zeros.
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  if (end === 0 || (bytes[0] ?? 0) > 127) throw new UnreadableVideoError("one of its pictures has no header");
  for (let at = bytes.indexOf(TWO_ZEROS); at !== -1 && at + 2 < end; at = bytes.indexOf(TWO_ZEROS, at + 2)) {
    if ((bytes[at + 2] ?? 0) < 3) throw new UnreadableVideoError("one of its pictures holds others");
  }
}

const TWO_ZEROS = Buffer.from([0, 0]);

interface Units {
  units: Uint8Array[];
  /** Whether every byte of the packet belongs to a unit. */
  whole: boolean;
}

function prefixedUnits(data: Uint8Array, lengthBytes: number): Units {
  const units: Uint8Array[] = [];
  let position = 0;
  while (position + lengthBytes <= data.length) {
    let length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (data[position + i] ?? 0);
    if (length === 0) break;
    const start = position + lengthBytes;
    if (start + length > data.length) throw new UnreadableVideoError("its pictures are not where its tables say");
    units.push(data.subarray(start, start + length));
    position = start + length;
  }
  // Some encoders append zeros.
  if (data.subarray(position).some((byte) => byte !== 0)) {
    throw new UnreadableVideoError("its pictures are not where its tables say");
  }
  return { units, whole: position === data.length };
}

const START_CODE = Buffer.from([0, 0, 0, 1]);

function annexBUnits(data: Uint8Array): Units {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const units: Uint8Array[] = [];
  let start = bytes.indexOf(SHORT_START_CODE);
  while (start !== -1) {
    const next = bytes.indexOf(SHORT_START_CODE, start + 3);
    let end = next === -1 ? bytes.length : next;
    // A unit never ends with a zero byte: zeros before a start code belong to the start code.
    while (end > start + 3 && bytes[end - 1] === 0) end -= 1;
    units.push(bytes.subarray(start + 3, end));
    start = next;
  }
  return { units, whole: false };
}

const SHORT_START_CODE = Buffer.from([0, 0, 1]);

function lengthPrefix(length: number, lengthBytes: number): Buffer {
  const prefix = Buffer.alloc(lengthBytes);
  prefix.writeUIntBE(length, 0, lengthBytes);
  return prefix;
}

/**
 * SEI messages that a player needs: recovery point, frame packing, display orientation, mastering display, content
 * light level and alternative transfer. Other messages may contain private data: cameras write place, clock and model
 * into vendor-specific messages, and there are messages for closed captions and time codes.
 */
const KEPT_MESSAGES = new Set([6, 45, 47, 137, 144, 147]);
/** The largest of these messages has 24 bytes. */
const MAX_MESSAGE_BYTES = 64;

const H264_SEI = 6;
/** Slices, parameter sets and delimiters, without filler data, reserved and unspecified units. */
const H264_KEPT = new Set([1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15, 19, 20, 21]);

const HEVC_SEI = new Set([39, 40]);
const HEVC_KEPT = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21, 32, 33, 34, 35, 36, 37]);

/** Removes H.264 units that no decoder needs, and private SEI messages. */
const filterH264Unit: NalFilter = (unit) => {
  const type = (unit[0] ?? 0) & 31;
  if (type === H264_SEI) return withoutPrivateMessages(unit, 1);
  return H264_KEPT.has(type) ? unit : undefined;
};

/** Like {@link filterH264Unit}, for HEVC. */
const filterHevcUnit: NalFilter = (unit) => {
  const type = ((unit[0] ?? 0) >> 1) & 63;
  if (HEVC_SEI.has(type)) return withoutPrivateMessages(unit, 2);
  return HEVC_KEPT.has(type) ? unit : undefined;
};

/** The SEI unit with only the messages of {@link KEPT_MESSAGES}; undefined if none is left. */
function withoutPrivateMessages(unit: Uint8Array, headerBytes: number): Uint8Array | undefined {
  const payload = unescaped(unit.subarray(headerBytes));
  const units: Uint8Array[] = [];
  let position = 0;
  // A number is the sum of its bytes of 255 and the next byte.
  const number = () => {
    let sum = 0;
    while (payload[position] === 255) {
      sum += 255;
      position += 1;
    }
    sum += payload[position] ?? 0;
    position += 1;
    return sum;
  };
  // The last byte contains the stop bit.
  while (position + 2 < payload.length) {
    const start = position;
    const [type, size] = [number(), number()];
    if (position + size > payload.length) break;
    position += size;
    if (KEPT_MESSAGES.has(type) && size <= MAX_MESSAGE_BYTES) units.push(payload.subarray(start, position));
  }
  if (units.length === 0) return undefined;
  return Buffer.concat([unit.subarray(0, headerBytes), escaped(Buffer.concat([...units, STOP_BIT]))]);
}

const STOP_BIT = Buffer.from([0x80]);

/** Removes the emulation prevention bytes: encoders insert a 3 after two zeros, so that no start code appears. */
function unescaped(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out.push(byte);
  }
  return Buffer.from(out);
}

function escaped(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out.push(byte);
  }
  return Buffer.from(out);
}

const METADATA = 5;
/** Content light level and mastering display. Others contain time codes and vendor-specific data. */
const KEPT_METADATA = new Set([1, 2]);
/** Sequence header, temporal delimiter, frames and tiles, without padding and reserved types. */
const KEPT_TYPES = new Set([1, 2, 3, 4, 6, 7, 8]);

/** Keeps the OBUs of AV1 that a decoder needs, and drops bytes outside of OBUs. */
function filterObus(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let position = 0;
  while (position < data.length) {
    const header = data[position] ?? 0;
    const type = (header >> 3) & 15;
    let body = position + (header & 4 ? 2 : 1);
    let end = data.length;
    if (header & 2) {
      const size = leb128(data, body);
      body += size.bytes;
      end = body + size.value;
    }
    if (end > data.length || body > end) break;
    const isKept = type === METADATA ? KEPT_METADATA.has(leb128(data, body).value) : KEPT_TYPES.has(type);
    if (isKept) parts.push(data.subarray(position, end));
    position = end;
  }
  const length = parts.reduce((sum, obu) => sum + obu.length, 0);
  return length === data.length ? data : Buffer.concat(parts);
}

/** A LEB128 number: seven bits a byte, the lowest first. */
function leb128(data: Uint8Array, at: number): { value: number; bytes: number } {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = data[at + i] ?? 0;
    value += (byte & 127) * 128 ** i;
    if (byte < 128) return { value, bytes: i + 1 };
  }
  return { value, bytes: 8 };
}
