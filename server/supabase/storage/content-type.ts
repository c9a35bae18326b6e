import { open } from "node:fs/promises";
import { fileTypeFromBuffer } from "file-type";
import { StorageError } from "./storage-error.ts";

/** Types that a browser or a desktop would run; no bucket takes them, whatever it allows. */
const ACTIVE = new Set([
  "application/xml",
  "application/x-msdownload",
  "application/x-elf",
  "application/x-mach-binary",
  "application/x-ms-shortcut",
  "application/x-sh",
  "application/wasm",
  "application/java-vm",
  "image/svg+xml",
  "text/html",
]);

const UNKNOWN = "application/octet-stream";
/** HTML sniffing in browsers looks at no more than this. */
const SNIFFED_BYTES = 1445;
/** Every type that has a magic number shows it within these. */
const HEAD_BYTES = 64 * 1024;

/** The type of a file by its content alone: its name and what the client says of it are never believed. */
export async function contentTypeOf(path: string): Promise<string> {
  const beginning = await head(path);
  const known = await fileTypeFromBuffer(beginning);
  return known?.mime ?? textTypeOf(beginning.subarray(0, SNIFFED_BYTES));
}

/** Markup and scripts have no magic number; everything else without one is just bytes. */
export function textTypeOf(beginning: Buffer): string {
  const text = beginning.toString("latin1").replace(/^(ï»¿|[\s\0])+/, "");
  if (text.startsWith("#!")) return "application/x-sh";
  if (/^<(\?xml|!--|!doctype|[a-z])/i.test(text)) return /<svg/i.test(text) ? "image/svg+xml" : "text/html";
  return UNKNOWN;
}

/** Refuses a type that the bucket does not take; `allowed` may hold patterns as `image/*`, and null takes all that is safe. */
export function checkAllowed(type: string, allowed: string[] | null) {
  const fits = allowed?.some(
    (pattern) => pattern === type || (pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1))),
  );
  if (ACTIVE.has(type) || fits === false) {
    throw new StorageError(415, "invalid_type", `mime type ${type} is not supported`);
  }
}

async function head(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
