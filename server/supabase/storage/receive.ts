import type { IncomingHttpHeaders } from "node:http";
import { type Duplex, PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { BytesKey } from "../../files/object-store.ts";
import type { IncomingBytes } from "../../files/uploads/incoming.ts";
import { from, type Source } from "../../files/uploads/write-part.ts";
import { checkJson } from "../bounds.ts";
import { badRequest, StorageError, tooLarge } from "./storage-error.ts";

/** The metadata received with the bytes of an upload. */
interface Received {
  /** Seconds for which a browser may cache the object, as requested by the client. */
  cacheControl?: string;
  userMetadata: Record<string, unknown>;
}

/** The destination of a request's bytes. */
interface Target {
  incoming: IncomingBytes;
  key: BytesKey;
  /** The maximum number of accepted bytes; null for no limit. */
  limit: number | null;
}

/** Writes a request's bytes to `target`: a form's file, or the body as it is. */
export async function receive(body: Readable, headers: IncomingHttpHeaders, target: Target): Promise<Received> {
  if (headers["content-type"]?.startsWith("multipart/form-data")) return receiveForm(body, headers, target);
  await write((sink) => pour(body, sink), target, Number(headers["content-length"] ?? 0));
  const metadata = headers["x-metadata"];
  return {
    cacheControl: headers["cache-control"]?.match(/^max-age=(\d+)$/)?.[1],
    userMetadata: userMetadataOf(
      typeof metadata === "string" ? Buffer.from(metadata, "base64").toString("utf8") : undefined,
    ),
  };
}

async function receiveForm(body: Readable, headers: IncomingHttpHeaders, target: Target) {
  const form = new Busboy({
    headers: { ...headers, "content-type": headers["content-type"] ?? "" },
    // The client sends its file under an empty name, after the fields.
    isPartAFile: (name, _type, fileName) => fileName !== undefined || name === "",
    limits: { files: 1, fields: 20, fieldSize: 64 * 1024, parts: 30 },
  });
  const fields = new Map<string, string>();
  let file: Promise<void> | undefined;
  form.on("field", (name, value) => fields.set(name, value));
  form.on("file", (_name, stream) => {
    file = write(from(stream), target);
    // A refused file ends the form. The refusal itself is thrown below.
    file.catch((error: Error) => form.destroy(error));
  });
  await pipeline(pour(body, new PassThrough()), form).catch((error: unknown) => {
    // Errors of the file are passed on. Others are errors of the form itself.
    throw error instanceof StorageError || isSystemError(error) ? error : badRequest("The form cannot be read");
  });
  if (!file) throw badRequest("The form holds no file");
  await file;
  return { cacheControl: fields.get("cacheControl"), userMetadata: userMetadataOf(fields.get("metadata")) };
}

/** Errors of files and disks, e.g. ENOSPC. */
const isSystemError = (error: unknown) => error instanceof Error && "syscall" in error;

async function write(source: Source, { incoming, key, limit }: Target, expected?: number): Promise<void> {
  let size = 0;
  await incoming.write(key, source, {
    begins: true,
    expected,
    passing(chunk) {
      size += chunk.length;
      if (limit !== null && size > limit) throw tooLarge();
    },
  });
}

/** Pipes the body into `sink`. Does not destroy the request: that would close the connection before the refusal. */
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

/** Parses the client's metadata about an object from its JSON text. */
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
