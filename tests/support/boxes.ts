import { crc32 } from "node:zlib";

/** Big-endian numbers of four bytes. */
export function word(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}

/** Big-endian numbers of two bytes. */
export function short(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

/** A box of the ISO base media format. */
export function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  return Buffer.concat([word(8 + body.length), Buffer.from(type, "latin1"), body]);
}

/** A chunk of a PNG file with its checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  return Buffer.concat([word(content.length), body, word(crc32(body))]);
}

/** A PNG file that claims this size in 8-bit RGB, with additional chunks. */
export function png(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = pngChunk("IHDR", Buffer.concat([word(width, height), Buffer.from([8, 2, 0, 0, 0])]));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, header, ...chunks, pngChunk("IEND", Buffer.alloc(0))]);
}

/** The identity matrix: no rotation. */
export const MATRIX = word(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
