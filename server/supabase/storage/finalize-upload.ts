import { open } from "node:fs/promises";
import type { Caller } from "../../database/as-caller.ts";
import { type Database, isSqlError } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { measure } from "../../files/pictures/pictures.ts";
import { digestsOf } from "../../files/uploads/digests.ts";
import { checkAllowed, contentTypeOf } from "./content-type.ts";
import { type Bucket, type Facts, insertObject } from "./objects.ts";
import { StorageError } from "./storage-error.ts";

/** Complete bytes, about to become an object. */
export interface CompletedUpload {
  /** Names the bytes as they come in, and then the object's. */
  version: string;
  bucket: Bucket;
  name: string;
  caller: Caller;
  upsert: boolean;
  cacheControl?: string;
  userMetadata: Record<string, unknown>;
}

/**
 * Turns complete bytes into an object: type by content, size and pixels, durable bytes in their place, and only then the row,
 * written as the caller. Resolves to the object's id. When it is refused, nothing of it stays.
 */
export async function finalizeUpload(
  { db, files }: { db: Database; files: Files },
  upload: CompletedUpload,
): Promise<string> {
  const { version, bucket, name, caller, upsert, userMetadata } = upload;
  const key = { bucket: bucket.id, version };
  try {
    const facts = await inspect(files, upload);
    await files.incoming.keep(key);
    return await insertObject(db, caller, { bucket: bucket.id, name, version, facts, userMetadata, upsert });
  } catch (error) {
    // The row may have been written. The sweep removes bytes without one.
    if (error instanceof StorageError || isRefusedRow(error)) {
      await files.incoming.remove(key);
      await files.objects.remove([key]);
    }
    throw error;
  }
}

/** What complete bytes are, known by their content; rejects where their bucket does not take that. */
export async function inspect(
  files: Files,
  upload: Pick<CompletedUpload, "version" | "bucket" | "cacheControl">,
): Promise<Facts> {
  const file = await files.incoming.complete({ bucket: upload.bucket.id, version: upload.version });
  try {
    return await factsOf(file.path, files, upload);
  } finally {
    await file.release();
  }
}

async function factsOf(
  path: string,
  files: Files,
  { bucket, version, cacheControl }: Parameters<typeof inspect>[1],
): Promise<Facts> {
  const { size, sha256, crc32, head } = await digestsOf(path);
  const type = await typeOf(path, head);
  checkAllowed(type, bucket.allowed_mime_types);
  return {
    eTag: `"${version}"`,
    size,
    mimetype: type,
    cacheControl: /^\d{1,9}$/.test(cacheControl ?? "") ? `max-age=${cacheControl}` : "no-cache",
    lastModified: new Date().toISOString(),
    contentLength: size,
    httpStatusCode: 200,
    sha256,
    crc32,
    ...(type.startsWith("image/") ? await measure(path) : undefined),
    ...(type.startsWith("video/") ? await files.videos.measure(path, type) : undefined),
  };
}

/** The type of a file by its content; a few bytes are read if its beginning is not enough. */
async function typeOf(path: string, head: Buffer): Promise<string> {
  const file = await open(path);
  try {
    return await contentTypeOf(head, async (at, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

/** Errors of the statement itself: data, constraints, rights, triggers. A lost connection is none of them. */
const isRefusedRow = (error: unknown) => isSqlError(error) && /^(22|23|42|44|P0|PT)/.test(error.code);
