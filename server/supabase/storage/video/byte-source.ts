import { open } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { BytesKey, ObjectStore } from "../object-store.ts";

/** Bytes that can be read at any place. */
export interface ByteSource {
  size: number;
  /** Exactly these bytes; fewer only where the end is nearer. The buffer must not be written to. */
  read(at: number, length: number): Promise<Buffer>;
}

/** What is read at once: containers are walked in small steps. */
const WINDOW_BYTES = 256 * 1024;

/** A source over anything that can give a stretch of bytes; steps that stay close to each other cost one reading. */
export function windowed(size: number, stretch: (start: number, end: number) => Promise<Buffer>): ByteSource {
  let from = 0;
  let held: Buffer = Buffer.alloc(0);
  return {
    size,
    async read(at, length) {
      const end = Math.min(size, at + length);
      if (at >= end) return Buffer.alloc(0);
      if (at < from || end > from + held.length) {
        held = await stretch(at, Math.min(size, Math.max(end, at + WINDOW_BYTES)));
        from = at;
      }
      return held.subarray(at - from, end - from);
    },
  };
}

/** The bytes of a stored object. */
export const storedBytes = (store: ObjectStore, key: BytesKey, size: number): ByteSource =>
  windowed(size, async (start, end) => buffer(await store.read(key, { start, end: end - 1 })));

/** Works on the bytes of a local file, which is closed afterwards. */
export async function withFileBytes<T>(path: string, work: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await work(
      windowed(size, async (start, end) => {
        const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
        return bytes.subarray(0, bytesRead);
      }),
    );
  } finally {
    await file.close();
  }
}
