import { open, readFile } from "node:fs/promises";

/** The path of a file, or its content. */
export type Source = string | Buffer;

/** Pixels, as seen upright unless described otherwise. */
export interface Size {
  width: number;
  height: number;
}

/** A picture in a format that sharp cannot read. */
export interface ForeignPicture {
  /** Pixels as decoded. */
  width: number;
  height: number;
  /** The EXIF orientation by which the decoded pixels must be turned. */
  orientation: number;
  /** The peak memory of decoding in bytes. */
  decodingBytes: number;
  /** The number of pages of a paper. */
  pages?: number | undefined;
  /** Resolves to a picture that sharp reads; rejects if the file is damaged. */
  decode(): Promise<Buffer>;
}

export const bytesOf = async (source: Source): Promise<Buffer> =>
  typeof source === "string" ? readFile(source) : source;

/** Reads from a source during `work`; `read` returns fewer bytes at the end of the file. */
export async function reading<Result>(
  source: Source,
  work: (read: (at: number, length: number) => Promise<Buffer>, size: number) => Promise<Result>,
): Promise<Result> {
  if (typeof source !== "string")
    return work(async (at, length) => source.subarray(at, at + Math.max(0, length)), source.length);
  const file = await open(source);
  try {
    const { size } = await file.stat();
    const read = async (at: number, length: number) => {
      // A position from a damaged file may be anything; the memory is bounded by the file's size.
      const available = Math.max(0, Math.min(length, size - at));
      if (available === 0 || !Number.isSafeInteger(at) || at < 0) return Buffer.alloc(0);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(available), 0, available, at);
      return buffer.subarray(0, bytesRead);
    };
    return await work(read, size);
  } finally {
    await file.close();
  }
}
