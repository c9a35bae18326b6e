import { open } from "node:fs/promises";
import type { Caller } from "../../database/as-caller.ts";
import { type Database, isSqlError } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { measure } from "../../files/pictures/pictures.ts";
import type { CompleteBytes } from "../../files/uploads/incoming.ts";
import { checkAllowed, contentTypeOf } from "./content-type.ts";
import { type Bucket, type Facts, findStoredId, insertObject } from "./objects.ts";
import { discardBytes } from "./remove-bytes.ts";
import { StorageError } from "./storage-error.ts";

/** An upload with all its bytes, which is not an object yet. */
export interface CompletedUpload {
  /** The version of the bytes, which becomes the object's. */
  version: string;
  bucket: Bucket;
  name: string;
  caller: Caller;
  upsert: boolean;
  cacheControl?: string;
  userMetadata: Record<string, unknown>;
  /** The number of bytes, if the client announced it. */
  size?: number;
}

/**
 * Turns complete bytes into an object: detects the type by content, measures size and pixels, stores the bytes durably,
 * and only then writes the row as the caller. Resolves to the object's id, also if an earlier attempt wrote its row: a
 * statement of a killed process commits all the same. If the upload is refused, nothing of it remains.
 */
export async function finalizeUpload(
  { db, files }: { db: Database; files: Files },
  upload: CompletedUpload,
): Promise<string> {
  const { version, bucket, name, caller, upsert, userMetadata } = upload;
  const key = { bucket: bucket.id, version };
  try {
    const facts = await inspect(files, upload);
    // Not a refusal: the bytes stay, and the client can send the rest.
    if (upload.size !== undefined && facts.size !== upload.size) {
      throw new Error(`${facts.size} bytes of ${upload.size} have been stored`);
    }
    await files.incoming.keep(key);
    return await insertObject(db, caller, { bucket: bucket.id, name, version, facts, userMetadata, upsert });
  } catch (error) {
    const storedId = await findStoredId(db, version).catch(() => {
      // Unknown, so the bytes stay.
      throw error;
    });
    if (storedId !== undefined) return storedId;
    if (isFinal(error)) await discardBytes({ db, files }, [key]);
    throw error;
  }
}

/** Analyses complete bytes; rejects if their bucket does not allow their type. */
export async function inspect(
  files: Files,
  upload: Pick<CompletedUpload, "version" | "bucket" | "cacheControl">,
): Promise<Facts> {
  const bytes = await files.incoming.complete({ bucket: upload.bucket.id, version: upload.version });
  try {
    return await factsOf(bytes, files, upload);
  } finally {
    await bytes.release();
  }
}

async function factsOf(
  bytes: CompleteBytes,
  files: Files,
  { bucket, version, cacheControl }: Parameters<typeof inspect>[1],
): Promise<Facts> {
  const { size, sha256, crc32, head } = await bytes.digests();
  const type = await typeOf(bytes, head);
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
    ...(type.startsWith("image/") ? await measure(await bytes.path()) : undefined),
    ...(/^(video|audio)\//.test(type) ? await files.videos.measure(await bytes.path(), type) : undefined),
  };
}

/** Detects the type; reads more bytes if the beginning does not suffice. */
const typeOf = (bytes: CompleteBytes, head: Buffer): Promise<string> =>
  contentTypeOf(head, async (at, length) => {
    const file = await open(await bytes.path());
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  });

/**
 * Whether an upload is refused for good: because of its bytes, or because its row itself failed (data, constraints,
 * rights, triggers). After other errors the upload can be completed later.
 */
export const isFinal = (error: unknown): boolean =>
  error instanceof StorageError
    ? error.status < 500
    : isSqlError(error) && /^(22|23|42|44|P0|PT(?!429|503))/.test(error.code);
