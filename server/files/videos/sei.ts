import { Buffer } from "node:buffer";
import type { NalFilter } from "./nal-units.ts";

/**
 * SEI messages that a player needs: recovery point, frame packing, display orientation, mastering display, content
 * light level and alternative transfer. Cameras write place, clock and model into messages of a vendor's own, and
 * closed captions and time codes into others.
 */
const KEPT_MESSAGES = new Set([6, 45, 47, 137, 144, 147]);
/** The largest of them has 24 bytes. */
const MAX_MESSAGE_BYTES = 64;

const H264_SEI = 6;
/** Slices, parameter sets, delimiters. Filler data, reserved and unspecified units are not needed. */
const H264_KEPT = new Set([1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15, 19, 20, 21]);

const HEVC_SEI = new Set([39, 40]);
const HEVC_KEPT = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21, 32, 33, 34, 35, 36, 37]);

/** Leaves out every unit of H.264 that no decoder needs, and of SEI the private messages. */
export const filterH264Unit: NalFilter = (unit) => {
  const type = (unit[0] ?? 0) & 31;
  if (type === H264_SEI) return withoutPrivateMessages(unit, 1);
  return H264_KEPT.has(type) ? unit : undefined;
};

/** The same for HEVC. */
export const filterHevcUnit: NalFilter = (unit) => {
  const type = ((unit[0] ?? 0) >> 1) & 63;
  if (HEVC_SEI.has(type)) return withoutPrivateMessages(unit, 2);
  return HEVC_KEPT.has(type) ? unit : undefined;
};

/** The SEI unit with the messages of {@link KEPT_MESSAGES} only; undefined where none is left. */
function withoutPrivateMessages(unit: Uint8Array, headerBytes: number): Uint8Array | undefined {
  const payload = unescaped(unit.subarray(headerBytes));
  const kept: Uint8Array[] = [];
  let position = 0;
  // A number is written as so many times 255, and the rest.
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
  // The last byte holds the stop bit.
  while (position + 2 < payload.length) {
    const start = position;
    const [type, size] = [number(), number()];
    if (position + size > payload.length) break;
    position += size;
    if (KEPT_MESSAGES.has(type) && size <= MAX_MESSAGE_BYTES) kept.push(payload.subarray(start, position));
  }
  if (kept.length === 0) return undefined;
  return Buffer.concat([unit.subarray(0, headerBytes), escaped(Buffer.concat([...kept, STOP_BIT]))]);
}

const STOP_BIT = Buffer.from([0x80]);

/** Without the threes that an encoder writes after two zeros, so that nothing looks like a start code. */
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
