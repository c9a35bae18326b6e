import { DetailedError, type HttpRequest, Upload } from "tus-js-client";
import { problemOf, UploadFailure } from "./upload-failure.ts";
import { type Bearer, REMOVED, type SentFile, type Transport } from "./upload-transport.ts";

/** The chunk size that the hosted platform requires. */
const CHUNK_BYTES = 6 * 1024 * 1024;
const ONE_REQUEST_BYTES = 256 * 1024;

/** Sends files with tus; see `tusTransport`. */
export function openTus<File extends SentFile>(
  endpoint: string,
  bearer: Bearer,
  place: (upload: File) => { bucketName: string; objectName: string },
): Transport<File> {
  const onBeforeRequest = async (request: HttpRequest) => {
    for (const [name, value] of Object.entries(await bearer.headers())) request.setHeader(name, value);
  };

  // After a link's settings change, its token is refused until it is renewed; a second refusal in a row is final.
  const refused = new Set<string>();
  const isFirstRefusal = (id: string) => {
    if (refused.delete(id)) return false;
    refused.add(id);
    return true;
  };

  const send: Transport<File>["send"] = (record, bytes, { signal, onProgress, onAddress }) =>
    new Promise((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint,
        uploadUrl: record.url ?? null,
        chunkSize: CHUNK_BYTES,
        uploadDataDuringCreation: record.size <= ONE_REQUEST_BYTES,
        // The queue stores URLs and schedules retries; tus-js-client must not do both again.
        storeFingerprintForResuming: false,
        retryDelays: null,
        metadata: {
          ...place(record),
          contentType: record.type,
          cacheControl: "3600",
          metadata: JSON.stringify({
            filename: record.name,
            taken: record.taken,
            people: record.people,
            prompt: record.prompt,
          }),
        },
        onBeforeRequest,
        onAfterResponse(request, response) {
          // tus-js-client would restart the upload after any failed HEAD; only a missing upload (404, 410) may restart.
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
          refused.delete(record.id);
          resolve();
        },
        onError: (error) => {
          end();
          const problem = problemIn(error);
          if (problem === "stored") return resolve();
          const renews = problem === "expired" || (problem === "refused" && isFirstRefusal(record.id));
          const failure = new UploadFailure(renews ? "network" : problem === "refused" ? "failed" : problem, {
            cause: error,
          });
          // If the session cannot be renewed, it ends, and the queue with it.
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
        // Deleted from the server only if a person removed the file; otherwise the upload resumes later.
        upload.abort(signal.reason === REMOVED).catch(() => {});
        reject(signal.reason);
      };
      const watch = watchdog(record.size, () => {
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

/**
 * Milliseconds without progress after which an upload counts as stalled, because a lost network may report no error.
 */
const STALLED_MS = 30_000;
/** Milliseconds for the server to flush and check the file after the last byte; it may be gigabytes. */
const FINISHING_MS = 5 * 60_000;

/** Calls `onStalled` after too long without progress. Timers stop while a phone sleeps, and fire when it wakes. */
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
