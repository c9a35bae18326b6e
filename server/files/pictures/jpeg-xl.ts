import type { Size } from "./sources.ts";

/** The part of a file in which the codestream begins; only metadata is before it. */
export const JPEG_XL_HEAD_BYTES = 1024 * 1024;

const CODESTREAM = Buffer.from([0xff, 0x0a]);
/** The proportions that a header abbreviates, by their number. */
const RATIOS = [1, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2] as const;

/** Reads the upright size of a JPEG XL picture from the beginning of its file; undefined if it is damaged. */
export function jpegXlSize(head: Buffer): Size | undefined {
  const at = head.subarray(0, 2).equals(CODESTREAM) ? 0 : codestreamAt(head);
  if (at === undefined || !head.subarray(at, at + 2).equals(CODESTREAM)) return undefined;
  const bits = bitReader(head.subarray(at + 2, at + 32));
  const isSmall = bits(1) === 1;
  const side = () => (isSmall ? (bits(5) + 1) * 8 : bits([9, 13, 18, 30][bits(2)] ?? 30) + 1);
  const height = side();
  const ratio = bits(3);
  const width = ratio === 0 ? side() : Math.floor(height * (RATIOS[ratio] ?? 1));
  // The picture's description follows: whether all is as usual, whether it has rare fields, and the orientation.
  const orientation = bits(1) === 0 && bits(1) === 1 ? bits(3) + 1 : 1;
  return orientation > 4 ? { width: height, height: width } : { width, height };
}

/** The content of the first box with a codestream, or with its first part, which has a number of four bytes. */
function codestreamAt(head: Buffer): number | undefined {
  for (let at = 0; at + 16 <= head.length; ) {
    const type = head.toString("latin1", at + 4, at + 8);
    const isLong = head.readUInt32BE(at) === 1;
    const size = isLong ? Number(head.readBigUInt64BE(at + 8)) : head.readUInt32BE(at);
    const body = at + (isLong ? 16 : 8);
    if (type === "jxlc") return body;
    if (type === "jxlp") return body + 4;
    if (size < 8) return undefined;
    at += size;
  }
  return undefined;
}

/** Reads numbers of up to 30 bits, from the lowest bit of each byte on; zeros beyond the end. */
function bitReader(bytes: Buffer): (count: number) => number {
  let position = 0;
  return (count) => {
    let number = 0;
    for (let bit = 0; bit < count; bit++, position++) {
      const isSet = ((bytes[position >> 3] ?? 0) >> (position & 7)) & 1;
      number += isSet * 2 ** bit;
    }
    return number;
  };
}
