/** Numbers of four bytes, the highest first. */
export function word(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}

/** Numbers of two bytes, the highest first. */
export function short(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

/** A box of the family of formats that MP4 and QuickTime belong to. */
export function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  return Buffer.concat([word(8 + body.length), Buffer.from(type, "latin1"), body]);
}

/** As it lies. */
export const MATRIX = word(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
/** Turned by a quarter, as a telephone held upright writes it. */
export const TURNED = word(0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000);
