import { Buffer } from "node:buffer";

const METADATA = 5;
/** Content light level and mastering display. Others hold time codes and a vendor's own data. */
const KEPT_METADATA = new Set([1, 2]);
/** Sequence header, temporal delimiter, frames and tiles. Padding and reserved types are not needed. */
const KEPT_TYPES = new Set([1, 2, 3, 4, 6, 7, 8]);

/** The OBUs of AV1 that a decoder needs. Bytes that belong to no OBU are left out. */
export function filterObus(data: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
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
    if (isKept) kept.push(data.subarray(position, end));
    position = end;
  }
  const length = kept.reduce((sum, obu) => sum + obu.length, 0);
  return length === data.length ? data : Buffer.concat(kept);
}

/** An unsigned number of seven bits a byte, the lowest first. */
function leb128(data: Uint8Array, at: number): { value: number; bytes: number } {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = data[at + i] ?? 0;
    value += (byte & 127) * 128 ** i;
    if (byte < 128) return { value, bytes: i + 1 };
  }
  return { value, bytes: 8 };
}
