import { DetailedError, type HttpRequest, Upload } from "tus-js-client";
import { mediaExtension } from "./media-type.ts";
import { problemOf, UploadFailure } from "./upload-failure.ts";
import type { StoredUpload } from "./upload-store.ts";

/** The hosted platform takes chunks of this size and no other. */
const CHUNK_BYTES = 6 * 1024 * 1024;
const ONE_REQUEST_BYTES = 256 * 1024;

/** Where photos and videos of memories are stored. */
export const inMemory = (upload: StoredUpload) => ({
  bucketName: "media",
  objectName: objectNameOf(upload),
});

/** The object's name in the bucket: chosen by the browser, so that sending it again can not make a second one. */
export const objectNameOf = (upload: Pick<StoredUpload, "id" | "memoryId" | "type">) =>
  `${upload.memoryId}/${upload.id}.${mediaExtension(upload.type)}`;

/** As whom files are sent. */
export interface Bearer {
  /** Asked before every request, because a token may end while a large file is under way. */
  headers: () => Promise<Record<string, string>>;
  /** Gets a new token where the server says that this one has ended. */
  renew: () => Promise<unknown>;
}

export interface SendOptions {
  signal: AbortSignal;
  /** Bytes sent so far, of this file. */
  onProgress: (sent: number) => void;
  /** The upload now has an address at which it can go on after a reload. */
  onAddress: (url: string) => void;
}

/** What is sent about a file with its bytes. */
export type SentFile = Pick<StoredUpload, "id" | "name" | "type" | "size" | "taken" | "url">;

export interface Transport<File extends SentFile = StoredUpload> {
  /** Sends one file from where it stopped; rejects with {@link UploadFailure}, or the signal's reason when aborted. */
  send: (upload: File, bytes: Blob, options: SendOptions) => Promise<void>;
  /** Drops what the server has of an unfinished upload. */
  drop: (url: string) => Promise<void>;
}

/** The reason to abort with when the file is not wanted any more: what the server has of it is dropped too. */
export const REMOVED = new UploadFailure("failed");

/** Sends by tus to the storage protocol's resumable endpoint; `place` says under which name, and in which bucket, a file is stored. */
export function tusTransport<File extends SentFile>(
  endpoint: string,
  bearer: Bearer,
  place: (upload: File) => { bucketName: string; objectName: string },
): Transport<File> {
  const onBeforeRequest = async (request: HttpRequest) => {
    for (const [name, value] of Object.entries(await bearer.headers())) request.setHeader(name, value);
  };

  // A link that has just changed refuses its holders until they have another token; a second refusal in a row stands.
  const refused = new Set<string>();
  const isFirstRefusal = (id: string) => {
    if (refused.delete(id)) return false;
    refused.add(id);
    return true;
  };

  const send: Transport<File>["send"] = (kept, bytes, { signal, onProgress, onAddress }) =>
    new Promise((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint,
        uploadUrl: kept.url ?? null,
        chunkSize: CHUNK_BYTES,
        uploadDataDuringCreation: kept.size <= ONE_REQUEST_BYTES,
        // The queue keeps addresses and decides when to try again; the client's own memory would do both a second time.
        storeFingerprintForResuming: false,
        retryDelays: null,
        metadata: {
          ...place(kept),
          contentType: kept.type,
          cacheControl: "3600",
          metadata: JSON.stringify({ filename: kept.name, taken: kept.taken }),
        },
        onBeforeRequest,
        onAfterResponse(request, response) {
          // The client would begin again from nothing where it may not look; only what is gone is begun again.
          const [method, status] = [request.getMethod(), response.getStatus()];
          if (method === "HEAD" && status >= 400 && status !== 404 && status !== 410) {
            throw new Refused({ method, status, body: response.getBody() });
          }
        },
        onUploadUrlAvailable: () => upload.url && onAddress(upload.url),
        onProgress(sent) {
          watch.progress(sent);
          onProgress(sent);
        },
        onSuccess: () => {
          end();
          refused.delete(kept.id);
          resolve();
        },
        onError: (error) => {
          end();
          const problem = problemIn(error);
          if (problem === "stored") return resolve();
          const renews = problem === "expired" || (problem === "refused" && isFirstRefusal(kept.id));
          const failure = new UploadFailure(renews ? "network" : problem === "refused" ? "failed" : problem, {
            cause: error,
          });
          // A session that can not be renewed ends by itself, and the queue with it.
          if (renews)
            bearer.renew().then(
              () => reject(failure),
              () => reject(failure),
            );
          else reject(failure);
        },
      });
      const stop = () => {
        end();
        // Only a person's own removal says so to the server; otherwise the bytes there are wanted again.
        upload.abort(signal.reason === REMOVED).catch(() => {});
        reject(signal.reason);
      };
      const watch = watchdog(kept.size, () => {
        end();
        upload.abort().catch(() => {});
        reject(new UploadFailure("network"));
      });
      const end = () => {
        watch.end();
        signal.removeEventListener("abort", stop);
      };
      signal.addEventListener("abort", stop);
      upload.start();
    });

  return { send, drop: (url) => Upload.terminate(url, { onBeforeRequest }) };
}

class Refused extends Error {
  constructor(readonly answer: Parameters<typeof problemOf>[0]) {
    super(`${answer.method}: ${answer.status}`);
  }
}

function problemIn(error: Error): ReturnType<typeof problemOf> {
  if (!(error instanceof DetailedError)) return "failed";
  if (error.causingError instanceof Refused) return problemOf(error.causingError.answer);
  const { originalRequest, originalResponse } = error;
  if (!originalResponse) return "network";
  return problemOf({
    method: originalRequest.getMethod(),
    status: originalResponse.getStatus(),
    body: originalResponse.getBody(),
  });
}

/** Bytes that do not move for this long will not; a network that was lost without a word looks like this. */
const STALLED_MS = 30_000;
/** After its last byte the server flushes and looks through what may be gigabytes. */
const FINISHING_MS = 5 * 60_000;

/**
 * Calls `onStalled` when an upload has made no progress for too long. A sleeping phone stops the clock, which then runs
 * out as it wakes.
 */
export function watchdog(size: number, onStalled: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let furthest = -1;
  const watch = {
    progress(sent: number) {
      if (sent === furthest) return;
      furthest = sent;
      clearTimeout(timer);
      timer = setTimeout(onStalled, sent >= size ? FINISHING_MS : STALLED_MS);
    },
    end: () => clearTimeout(timer),
  };
  watch.progress(0);
  return watch;
}
