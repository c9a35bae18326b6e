import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { ByteRange } from "./ranges.ts";

/** What is read at once rather than as a stream, which for a few bytes is most of the work. */
const AT_ONCE_BYTES = 256 * 1024;

/**
 * The bytes of a local file of `size` bytes, or a range of them. It is opened before this resolves, and rejects as
 * opening does: missing bytes are an error and not a broken stream. An open file stays readable when it is removed.
 */
export async function readLocal(path: string, size: number, range?: ByteRange): Promise<Buffer | Readable> {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const file = await open(path);
  if (end - start >= AT_ONCE_BYTES) return file.createReadStream({ ...range, highWaterMark: AT_ONCE_BYTES });
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(end - start + 1), 0, end - start + 1, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
