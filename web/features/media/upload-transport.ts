import { DetailedError, Upload } from "tus-js-client";
import { photoExtension } from "./photo-type.ts";
import { problemOfResponse, UploadFailure } from "./upload-failure.ts";
import type { KeptUpload } from "./upload-store.ts";

const CHUNK_BYTES = 6 * 1024 * 1024;
const ONE_REQUEST_BYTES = 256 * 1024;

/** The object's name in the bucket: chosen by the browser, so that sending it again can not make a second one. */
export const objectNameOf = (upload: Pick<KeptUpload, "id" | "memoryId" | "type">) =>
  `${upload.memoryId}/${upload.id}.${photoExtension(upload.type)}`;

export interface SendOptions {
  signal: AbortSignal;
  /** Bytes sent so far, of this file. */
  onProgress: (sent: number) => void;
  /** The upload now has an address at which it can go on after a reload. */
  onAddress: (url: string) => void;
}

/** Sends one file from where it stopped; rejects with {@link UploadFailure}, or the signal's reason when aborted. */
export type Send = (upload: KeptUpload, options: SendOptions) => Promise<void>;

/**
 * Sends by tus to the storage protocol's resumable endpoint. `headers` is asked before every request, because a token
 * may expire while a large file is under way.
 */
export const tusSend =
  (endpoint: string, headers: () => Promise<Record<string, string>>): Send =>
  (kept, { signal, onProgress, onAddress }) =>
    new Promise((resolve, reject) => {
      const upload = new Upload(kept.file, {
        endpoint,
        uploadUrl: kept.url ?? null,
        chunkSize: CHUNK_BYTES,
        uploadDataDuringCreation: kept.file.size <= ONE_REQUEST_BYTES,
        // The queue keeps addresses and decides when to try again; the client's own memory would do both a second time.
        storeFingerprintForResuming: false,
        retryDelays: null,
        metadata: {
          bucketName: "media",
          objectName: objectNameOf(kept),
          contentType: kept.type,
          cacheControl: "3600",
          metadata: JSON.stringify({ filename: kept.name }),
        },
        onBeforeRequest: async (request) => {
          for (const [name, value] of Object.entries(await headers())) request.setHeader(name, value);
        },
        onUploadUrlAvailable: () => upload.url && onAddress(upload.url),
        onProgress,
        onSuccess: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
        onError: (error) => {
          signal.removeEventListener("abort", stop);
          const response = error instanceof DetailedError ? error.originalResponse : null;
          const problem = response ? problemOfResponse(response.getStatus(), response.getBody()) : "network";
          if (problem === "stored") resolve();
          else reject(new UploadFailure(problem, { cause: error }));
        },
      });
      const stop = () => {
        // Only a person's own removal says so to the server; otherwise the bytes there are wanted again.
        upload.abort(signal.reason === REMOVED).catch(() => {});
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop);
      upload.start();
    });

/** The reason to abort with when the file is not wanted any more. */
export const REMOVED = new UploadFailure("failed");
