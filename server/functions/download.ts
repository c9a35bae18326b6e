import { ReadableStream } from "node:stream/web";
import { RequestError } from "../../shared/request-error.ts";
import type { Database } from "../database/database.ts";
import { AccessEndedError, type AccessGuard, openAccessGuard } from "../downloads/access-guard.ts";
import { openForm } from "../downloads/file-forms.ts";
import { layoutOf, type ManifestEntry } from "../downloads/manifest.ts";
import { forgetFile } from "../downloads/measured-files.ts";
import { findPrepared, type Prepared } from "../downloads/prepared.ts";
import type { Files } from "../files/files.ts";
import { type ByteRange, MissingBytesError, rangeOf } from "../files/object-store.ts";
import type { OpenSessions } from "../supabase/open-sessions.ts";
import { attachment } from "../supabase/storage/send.ts";
import type { AccessCheck } from "../supabase/stream-guard.ts";
import type { FileEndpoint } from "./endpoint.ts";

interface Deps {
  db: Database;
  files: Files;
  sessions: OpenSessions;
  /** How long the result of the row policies is reused during a download, in milliseconds. */
  holdsMs?: number;
}

/**
 * GET and HEAD /functions/v1/download?ticket=…: a prepared ZIP file, or any range of it. The row policies are evaluated
 * as its caller at the start and during the download, which is aborted when they refuse.
 */
export const download: FileEndpoint = (input) => sendDownload(input, input.request, input.watch);

export async function sendDownload(
  { db, files, sessions, holdsMs }: Deps,
  request: Request,
  watch: (check: AccessCheck) => void,
): Promise<Response> {
  const prepared = await findPrepared(db, new URL(request.url).searchParams.get("ticket") ?? "");
  if (!prepared)
    throw new RequestError("not_found", { message: "This download has expired. Please prepare it again." });
  const { manifest, etag, madeAt } = prepared;
  const guard = openAccessGuard({ db, sessions }, prepared, holdsMs);
  await guard.pass(0).catch((error: unknown) => {
    if (!(error instanceof AccessEndedError)) throw error;
    throw new RequestError("closed");
  });

  const layout = layoutOf(manifest);
  const headers = new Headers({
    "content-type": "application/zip",
    "content-disposition": attachment(manifest.name),
    "accept-ranges": "bytes",
    // Browsers must revalidate the file before reuse. The ETag lets them resume an interrupted download.
    "cache-control": "private, no-cache",
    etag,
    "last-modified": madeAt.toUTCString(),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
  });
  const range = isFresh(request, prepared)
    ? rangeOf(request.headers.get("range") ?? undefined, layout.size)
    : undefined;
  if (range === "unsatisfiable") {
    headers.set("content-range", `bytes */${layout.size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set("content-length", `${range ? range.end - range.start + 1 : layout.size}`);
  if (range) headers.set("content-range", `bytes ${range.start}-${range.end}/${layout.size}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  watch(guard.recheck);
  const open = (entry: ManifestEntry, part: ByteRange, index: number) =>
    guarded(guard, index, read({ db, files }, entry, part));
  return new Response(ReadableStream.from(layout.bytes(open, range)) as unknown as BodyInit, { status, headers });
}

/** Whether the client's partial file is of the same version, so that a range may continue it (RFC 9110 §13.1.5). */
const isFresh = (request: Request, { etag, madeAt }: Prepared) =>
  [null, etag, madeAt.toUTCString()].includes(request.headers.get("if-range"));

async function* guarded(guard: AccessGuard, index: number, bytes: AsyncIterable<Uint8Array>) {
  await guard.pass(index);
  for await (const chunk of bytes) {
    await guard.pass(index);
    yield chunk;
  }
}

async function* read(
  { db, files }: Pick<Deps, "db" | "files">,
  entry: ManifestEntry,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  if (!("file" in entry)) {
    yield Buffer.from(entry.text).subarray(start, end + 1);
    return;
  }
  const form = await openForm(files, entry.file);
  if (form.size !== entry.size) {
    await forgetFile(db, entry.file);
    throw new MissingBytesError(entry.file.object);
  }
  yield* await form.read({ start, end });
}
