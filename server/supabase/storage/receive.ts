import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { type Duplex, PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { checkJson } from "../bounds.ts";
import { badRequest, StorageError, tooLarge } from "./storage-error.ts";

/** What came with the bytes of an upload. */
interface Received {
  /** Seconds a browser may keep the object, as the client said it. */
  cacheControl?: string;
  userMetadata: Record<string, unknown>;
}

/** Writes a request's bytes to the file `part`, a form's file or the body as it is; at most `limit` bytes. */
export async function receive(
  body: Readable,
  headers: IncomingHttpHeaders,
  part: string,
  limit: number | null,
): Promise<Received> {
  try {
    if (headers["content-type"]?.startsWith("multipart/form-data"))
      return await receiveForm(body, headers, part, limit);
    await write((sink) => pour(body, sink), part, limit);
    const metadata = headers["x-metadata"];
    return {
      cacheControl: headers["cache-control"]?.match(/^max-age=(\d+)$/)?.[1],
      userMetadata: userMetadataOf(
        typeof metadata === "string" ? Buffer.from(metadata, "base64").toString("utf8") : undefined,
      ),
    };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function receiveForm(body: Readable, headers: IncomingHttpHeaders, part: string, limit: number | null) {
  const form = new Busboy({
    headers: { ...headers, "content-type": headers["content-type"] ?? "" },
    // The client sends its file under an empty name, and the fields before it.
    isPartAFile: (name, _type, fileName) => fileName !== undefined || name === "",
    limits: { files: 1, fields: 20, fieldSize: 64 * 1024, parts: 30 },
  });
  const fields = new Map<string, string>();
  let file: Promise<void> | undefined;
  form.on("field", (name, value) => fields.set(name, value));
  form.on("file", (_name, stream) => {
    file = write(from(stream), part, limit);
    // A file that is refused ends the form; the refusal itself is thrown below.
    file.catch((error: Error) => form.destroy(error));
  });
  await pipeline(pour(body, new PassThrough()), form).catch((error: unknown) => {
    // What is wrong with the form itself; what became of its file is heard from the file.
    throw error instanceof StorageError || isSystemError(error) ? error : badRequest("The form can not be read");
  });
  if (!file) throw badRequest("The form holds no file");
  await file;
  return { cacheControl: fields.get("cacheControl"), userMetadata: userMetadataOf(fields.get("metadata")) };
}

/** Errors of files and disks, as ENOSPC: they are the server's own. */
const isSystemError = (error: unknown) => error instanceof Error && "syscall" in error;

async function write(source: Source, part: string, limit: number | null): Promise<void> {
  let size = 0;
  await writePart(part, source, {
    begins: true,
    passing(chunk) {
      size += chunk.length;
      if (limit !== null && size > limit) throw tooLarge();
    },
  });
}

/**
 * Lets the body flow into `sink`, which may be destroyed: destroying the request itself would take its connection with
 * it, and the refusal that is still to be sent. What nobody wants any more is read and dropped.
 */
function pour<Sink extends Duplex>(body: Readable, sink: Sink): Sink {
  const breakOff = () => {
    if (!body.readableEnded) sink.destroy(badRequest("The upload was broken off"));
  };
  body.once("error", breakOff);
  body.once("close", breakOff);
  sink.once("close", () => {
    body.unpipe(sink);
    body.resume();
  });
  return body.pipe(sink);
}

/** The client's own facts about an object, from their JSON text. */
export function userMetadataOf(text: string | null | undefined): Record<string, unknown> {
  if (!text) return {};
  checkJson(text);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // Falls through to the refusal.
  }
  throw badRequest("The metadata of an object must be a JSON object");
}

/** What waits to be written at once; chunks from the network are small. */
const GATHERED_BYTES = 1024 * 1024;
/** After so many bytes they begin to be made durable, so that little is left to wait for at the end. */
const FLUSHED_BYTES = 32 * 1024 * 1024;

interface Writing {
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
