import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What waits to be written at once; chunks from the network are small. */
const GATHERED_BYTES = 1024 * 1024;
/** After so many bytes they begin to be made durable, so that little is left to wait for at the end. */
const FLUSHED_BYTES = 32 * 1024 * 1024;

/** How bytes are written. */
export interface Writing {
  /** The place of the first byte; 0 unless given. */
  at?: number;
  /** Whether the file must not be there yet. */
  begins?: boolean;
  /** Sees each chunk before it is written, and up to which place the file has been; refuses the chunk by throwing. */
  passing?: (chunk: Buffer, written: number) => void;
}

/** Lets bytes flow into `sink`, which it ends, or destroys when they break off. */
export type Source = (sink: Transform) => void;

/** Writes bytes into the file at `path`; once it resolves they would survive a loss of power. */
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

/** Another stream's bytes. What is wrong with it is wrong with the writing. */
export const from =
  (bytes: Readable): Source =>
  (sink) => {
    bytes.once("error", (error) => sink.destroy(error));
    sink.once("error", () => bytes.unpipe(sink));
    bytes.pipe(sink);
  };

/** Makes durable what has been written so far. What goes wrong here goes wrong again at the end, where somebody listens. */
async function flush(path: string) {
  try {
    const file = await open(path, "r+");
    await file.datasync().finally(() => file.close());
  } catch {}
}
