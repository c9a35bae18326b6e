import { fileTypeFromBuffer } from "file-type";
import { isPdf, PDF } from "../../../shared/paper-format.ts";
import { isTiff, photoFormat } from "../../../shared/photo-format.ts";
import { soundFormat } from "../../../shared/sound-format.ts";
import type { ReadBytes } from "../../../shared/tiff.ts";
import { DV, isDv } from "../../../shared/video-format.ts";
import { StorageError } from "./storage-error.ts";

/** Types that a browser or a desktop would execute. No bucket accepts them, whatever it allows. */
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

/** Other names of the same containers: Apple's and phones' MP4, HEIC bursts, MPEG streams, animations. */
const ALIASES: Record<string, string | undefined> = {
  "video/x-m4v": "video/mp4",
  // With pictures in it; one with only sound is recognised before.
  "audio/x-m4a": "video/mp4",
  "video/3gpp": "video/mp4",
  "video/3gpp2": "video/mp4",
  "video/MP1S": "video/mpeg",
  "video/MP2P": "video/mpeg",
  // An animated PNG is a PNG to every other program.
  "image/apng": "image/png",
  "image/heic-sequence": "image/heic",
  "image/heif-sequence": "image/heif",
};

const UNKNOWN = "application/octet-stream";
/** The number of bytes that browsers examine for HTML. */
const SNIFFED_BYTES = 1445;

/**
 * Resolves to the type of a file by its content. Ignores its name and the client's type. `read` is used for a
 * TIFF, whose directory distinguishes a finished picture from a raw one, and for a container of videos, whose table of
 * tracks tells whether it has pictures. Both may be at the end of the file.
 */
export async function contentTypeOf(head: Buffer, read: ReadBytes = readingOf(head)): Promise<string> {
  const tiff = isTiff(head.toString("latin1", 0, 4));
  const format = await photoFormat(tiff ? read : readingOf(head));
  if (format) return format;
  if (tiff) return "image/tiff";
  if (isPdf(head)) return PDF;
  if (isDv(head)) return DV;
  const sound = await soundFormat(readingFirst(head, read));
  if (sound) return sound;
  const detected = (await fileTypeFromBuffer(head))?.mime ?? textTypeOf(head.subarray(0, SNIFFED_BYTES));
  return ALIASES[detected] ?? detected;
}

const readingOf =
  (bytes: Buffer): ReadBytes =>
  async (at, length) =>
    bytes.subarray(at, at + length);

/** Reads from the file only what is behind its beginning: from a bucket, that fetches all of it. */
const readingFirst =
  (head: Buffer, read: ReadBytes): ReadBytes =>
  (at, length) =>
    at + length <= head.length ? readingOf(head)(at, length) : read(at, length);

/** Returns the type of content without a magic number: markup and scripts; other content is unknown. */
export function textTypeOf(beginning: Buffer): string {
  const text = beginning.toString("latin1").replace(/^(ï»¿|[\s\0])+/, "");
  if (text.startsWith("#!")) return "application/x-sh";
  if (/^<(\?xml|!--|!doctype|[a-z])/i.test(text)) return /<svg/i.test(text) ? "image/svg+xml" : "text/html";
  return UNKNOWN;
}

/** Refuses a type outside `allowed`, which may contain patterns such as `image/*`. Null allows all safe types. */
export function checkAllowed(type: string, allowed: string[] | null) {
  const fits = allowed?.some(
    (pattern) => pattern === type || (pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1))),
  );
  if (ACTIVE.has(type) || fits === false) {
    throw new StorageError(415, "invalid_type", `mime type ${type} is not supported`);
  }
}
