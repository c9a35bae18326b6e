import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { attachment } from "./disposition.ts";
import { type ByteRange, rangeOf } from "./ranges.ts";

/** Bytes as an answer to a request. */
export interface Sendable {
  type: string;
  size: number;
  /** Strong: the same tag means the same bytes. Quoted. */
  etag: string;
  modified: Date;
  open(range?: ByteRange): Promise<Readable>;
}

/**
 * Answers with the bytes, the range asked for, or "not modified". They are never kept by a shared cache, and a browser
 * asks again before it uses its own copy, so that what is closed to a caller closes at once.
 */
export async function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Sendable, saveAs?: string) {
  reply.headers({
    "cache-control": "private, no-cache",
    etag: bytes.etag,
    "last-modified": bytes.modified.toUTCString(),
    "accept-ranges": "bytes",
    // What people upload is shown, never run.
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
  });
  if (hasTag(request.headers["if-none-match"], bytes.etag)) return reply.code(304).send();
  reply.type(bytes.type);
  if (saveAs) reply.header("content-disposition", attachment(saveAs));

  const range = isFresh(request.headers["if-range"]?.toString(), bytes)
    ? rangeOf(request.headers.range, bytes.size)
    : undefined;
  if (range === "unsatisfiable") {
    return reply.code(416).header("content-range", `bytes */${bytes.size}`).type("text/plain").send("");
  }
  const length = range ? range.end - range.start + 1 : bytes.size;
  reply.header("content-length", length);
  if (range) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${bytes.size}`);
  if (request.method === "HEAD") return reply.send();
  return reply.send(await bytes.open(range));
}

const hasTag = (header: string | undefined, etag: string) =>
  header?.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag) ?? false;

/** Whether a range may be a part of what the client already has (RFC 9110 §13.1.5). */
const isFresh = (header: string | undefined, bytes: Sendable) =>
  header === undefined || header === bytes.etag || header === bytes.modified.toUTCString();
