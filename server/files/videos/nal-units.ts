import { Buffer } from "node:buffer";
import { UnreadableVideoError } from "./video-error.ts";

/** How NAL units follow each other: after a length of so many bytes, or after start codes (Annex B). */
export type NalFraming = number | "start codes";

/** Returns the unit itself, another one in its place, or nothing to leave it out. */
export type NalFilter = (unit: Uint8Array) => Uint8Array | undefined;

/**
 * Passes each NAL unit of a packet through a filter. Refuses a packet with bytes that belong to no unit: its tables lead to
 * the wrong place, and what is private there could look like a picture. Returns the same array where nothing changes.
 */
export function filterNalUnits(data: Uint8Array, framing: NalFraming, filter: NalFilter): Uint8Array {
  const { units, whole } = framing === "start codes" ? annexBUnits(data) : prefixedUnits(data, framing);
  units.forEach(checkUnit);
  const kept = units.map(filter);
  if (whole && kept.every((unit, index) => unit === units[index])) return data;
  const prefix = (unit: Uint8Array) => (framing === "start codes" ? START_CODE : lengthPrefix(unit.length, framing));
  return Buffer.concat(kept.flatMap((unit) => (unit ? [prefix(unit), unit] : [])));
}

/** Whether bytes that should be something else are a whole packet of NAL units. */
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

/** In fewer bytes anything may look like a unit. */
const MIN_PACKET_BYTES = 6;

/**
 * Refuses what no encoder writes as a unit. Two zeros are followed by a number above two, or by the three that tells them
 * apart from the start of a unit: other bytes that tables lead to, and several units taken for one, seldom are that way.
 */
function checkUnit(unit: Uint8Array): void {
  const bytes = Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength);
  let end = bytes.length;
  // Some encoders fill up with zeros.
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
  // Some encoders fill up with zeros.
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
    // A unit never ends with a zero: zeros before the next start code belong to that.
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
