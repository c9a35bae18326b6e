import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The number of bytes to collect for one write, because network chunks are small. */
const GATHERED_BYTES = 1024 * 1024;
/** The number of bytes after which a flush begins, so that the final flush is short. */
const FLUSHED_BYTES = 32 * 1024 * 1024;

/** How bytes are written. */
export interface Writing {
  /** The offset of the first byte; 0 by default. */
  at?: number;
  /** Whether the file must not exist yet. */
  begins?: boolean;
  /** Called before each write with the chunk and the number of bytes written so far. Throws to refuse the chunk. */
  passing?: (chunk: Buffer, written: number) => void;
}

/** Writes bytes to `sink` and ends it, or destroys it if they are interrupted. */
export type Source = (sink: Transform) => void;

/** Writes bytes into the file at `path`. They are durable once this resolves. */
export async function writePart(path: string, source: Source, { at = 0, begins, passing }: Writing): Promise<void> {
  let waiting = 0;
  let flushing: Promise<void> | undefined;
  const sink = new Transform({
    highWaterMark: GATHERED_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      try {
        passing?.(chunk, at + file.bytesWritten);
      } catch (error) {
        return done(error as Error);
      }
      waiting += chunk.length;
      if (waiting >= FLUSHED_BYTES && !flushing) {
        waiting = 0;
        flushing = flush(path).finally(() => {
          flushing = undefined;
        });
      }
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, {
    flags: begins ? "wx" : "r+",
    start: at,
    highWaterMark: GATHERED_BYTES,
    flush: true,
  });
  try {
    source(sink);
    await pipeline(sink, file);
  } finally {
    await flushing;
  }
}

/** Pipes another stream; its errors fail the write. */
export const from =
  (bytes: Readable): Source =>
  (sink) => {
    bytes.once("error", (error) => sink.destroy(error));
    sink.once("error", () => bytes.unpipe(sink));
    bytes.pipe(sink);
  };

/** Flushes written bytes. Errors are ignored here, because the final flush reports them. */
async function flush(path: string) {
  try {
    const file = await open(path, "r+");
    await file.datasync().finally(() => file.close());
  } catch {}
}
