import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ByteRange, rangeOf, type SentAs } from "../../files/object-store.ts";

/** Validators of a response (RFC 9110). */
interface Tag {
  /** A strong validator, in quotes: the same tag means the same bytes. */
  etag: string;
  modified: Date;
}

export interface Sendable extends Tag {
  type: string;
  size: number;
  open(range?: ByteRange): Promise<Readable | Buffer>;
  /** A URL of the bytes at the object storage service, if clients may read there. */
  url?(as: SentAs): Promise<string>;
}

/** The minimum size of a file that a client saves from the object storage service, because a redirect costs a connection. */
const LEAST_REDIRECTED_BYTES = 1024 * 1024;

/**
 * Sends the bytes, the requested range, or "not modified". Shared caches never store them, and a browser revalidates
 * its own copy before use, so that the end of access takes effect at once. A large file to be saved may be read from the
 * object storage service.
 */
export async function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Sendable, saveAs?: string) {
  if (isUnchanged(request, bytes)) return sendUnchanged(reply, bytes);
  if (bytes.url && saveAs && bytes.size >= LEAST_REDIRECTED_BYTES && mayRedirect(request)) {
    const url = await bytes.url({ type: bytes.type, disposition: attachment(saveAs) });
    return reply.header("cache-control", "no-store").redirect(url);
  }
  reply.headers(headersOf(bytes)).type(bytes.type);
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

/** A client that follows a redirect may send its bearer along, and the service refuses two kinds of credentials. */
const mayRedirect = ({ method, headers }: FastifyRequest) => method === "GET" && headers.authorization === undefined;

/** Whether the client's copy is current. */
export const isUnchanged = (request: FastifyRequest, { etag }: Tag) => hasTag(request.headers["if-none-match"], etag);

export const sendUnchanged = (reply: FastifyReply, tag: Tag) => reply.headers(headersOf(tag)).code(304).send();

const headersOf = ({ etag, modified }: Tag) => ({
  "cache-control": "private, no-cache",
  etag,
  "last-modified": modified.toUTCString(),
  "accept-ranges": "bytes",
  // Uploads are displayed, never executed.
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox",
});

const hasTag = (header: string | undefined, etag: string) =>
  header?.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag) ?? false;

/** Whether the client's copy is current, so that a range may complete it (RFC 9110 §13.1.5). */
const isFresh = (header: string | undefined, bytes: Sendable) =>
  header === undefined || header === bytes.etag || header === bytes.modified.toUTCString();

/** An unpaired surrogate, which cannot be encoded. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Returns a `Content-Disposition` that saves as `name` (RFC 6266): in ASCII and, if that differs, the exact name. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%/]/g, "_");
  const encoded = encodeURIComponent(name.replace(LONE_SURROGATE, "\ufffd")).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Returns the name with the extension of the sent type. */
export const renamed = (name: string, extension: string): string => `${name.replace(/\.[^./]*$/, "")}.${extension}`;
