import { open } from "node:fs/promises";
import { CustomSource, Input, Logging, LogLevel, MATROSKA, MP4, QTFF, WEBM } from "mediabunny";
import { checkElements } from "./check-elements.ts";
import { checkTables } from "./check-tables.ts";

/** What the library keeps of a file in memory, in bytes. */
const CACHE_BYTES = 2 * 1024 * 1024;
const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

/**
 * Works on the video in a local file, with the containers that can be copied without other programs. Rejects with
 * `UnreadableVideoError` where its tables would lead the library astray.
 */
export async function withVideo<T>(path: string, work: (input: Input, size: number) => Promise<T>): Promise<T> {
  // What is odd about somebody's file is no news for the log.
  Logging.level = LogLevel.Silent;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.equals(EBML)) await checkElements(file);
    else await checkTables(file);
    const source = new CustomSource({
      getSize: () => size,
      async read(start, end) {
        const bytes = new Uint8Array(end - start);
        await file.read(bytes, 0, bytes.length, start);
        return bytes;
      },
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: "fileSystem",
      handleUnhandledError: () => {},
    });
    const input = new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] });
    try {
      return await work(input, size);
    } finally {
      input.dispose();
    }
  } finally {
    await file.close();
  }
}
