import { mediaExtension } from "./media-type.ts";
import { UploadFailure } from "./upload-failure.ts";
import type { StoredUpload } from "./upload-store.ts";

/** The storage location of a memory's photos and videos. */
export const inMemory = (upload: StoredUpload) => ({
  bucketName: "media",
  objectName: objectNameOf(upload),
});

/** The object's name in the bucket. The client chooses it, so that a repeated upload cannot create a second object. */
export const objectNameOf = (upload: Pick<StoredUpload, "id" | "memoryId" | "type">) =>
  `${upload.memoryId}/${upload.id}.${mediaExtension(upload.type)}`;

/** The sender's credentials. */
export interface Bearer {
  /** Called before every request, because a token may expire during a large upload. */
  headers: () => Promise<Record<string, string>>;
  /** Gets a new token after the server rejected this one as expired. */
  renew: () => Promise<unknown>;
}

export interface SendOptions {
  signal: AbortSignal;
  /** Bytes sent so far, of this file. */
  onProgress: (sent: number) => void;
  /** Called with the upload URL, at which it can be resumed after a reload. */
  onAddress: (url: string) => void;
}

/** The metadata that is sent with a file. */
export type SentFile = Pick<StoredUpload, "id" | "name" | "type" | "size" | "taken" | "people" | "prompt" | "url">;

export interface Transport<File extends SentFile = StoredUpload> {
  /** Sends one file from its last offset; rejects with {@link UploadFailure}, or the signal's reason when aborted. */
  send: (upload: File, bytes: Blob, options: SendOptions) => Promise<void>;
  /** Deletes an unfinished upload from the server. */
  drop: (url: string) => Promise<void>;
}

/** The abort reason for a removed file: its unfinished upload is deleted from the server too. */
export const REMOVED = new UploadFailure("failed");
