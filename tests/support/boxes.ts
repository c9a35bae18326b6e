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

/** An element of the family of formats that WebM belongs to; its size in `width` bytes, or left open. */
export function element(id: number, body: Buffer | string, { width = 4, open = false } = {}): Buffer {
  const content = typeof body === "string" ? Buffer.from(body) : body;
  const name = Buffer.from(
    id.toString(16).padStart(id > 0xffffff ? 8 : id > 0xffff ? 6 : id > 0xff ? 4 : 2, "0"),
    "hex",
  );
  const size = Buffer.alloc(width, open ? 0xff : 0);
  if (!open) size.writeUIntBE(content.length, Math.max(0, width - 6), Math.min(6, width));
  size[0] = open ? 0xff >> (width - 1) : (size[0] ?? 0) | (0x80 >> (width - 1));
  return Buffer.concat([name, size, content]);
}
