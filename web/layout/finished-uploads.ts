import type { UploadView } from "../media/uploads/upload-entries.ts";
import { isRetryable } from "../media/uploads/upload-failure.ts";

interface Upload {
  memoryId: string;
  state: string;
}

const BUSY = new Set(["checking", "waiting", "uploading"]);
const isBusy = (upload: Upload) => BUSY.has(upload.state);

/** Returns the memories whose uploads ended between two states, with the number of stored files. */
export function finishedUploads(before: readonly Upload[], after: readonly Upload[]) {
  const busyNow = new Set(after.filter(isBusy).map((upload) => upload.memoryId));
  const ended = new Set(before.filter((upload) => isBusy(upload) && !busyNow.has(upload.memoryId)).map(memoryOf));
  return [...ended]
    .map((memoryId) => ({
      memoryId,
      stored: after.filter((upload) => upload.memoryId === memoryId && upload.state === "stored").length,
    }))
    .filter(({ stored }) => stored > 0);
}

const memoryOf = (upload: Upload) => upload.memoryId;

/** Whether a file can never be added, because of its kind or size. */
export const isRefused = ({ state, problem }: Pick<UploadView, "state" | "problem">) =>
  state === "failed" && !isRetryable(problem);

/** Returns the uploads that were refused for ever between two states. */
export function newlyRefused<T extends Pick<UploadView, "id" | "state" | "problem">>(
  before: readonly T[],
  after: readonly T[],
): T[] {
  const refusedBefore = new Set(before.filter(isRefused).map(({ id }) => id));
  return after.filter((upload) => isRefused(upload) && !refusedBefore.has(upload.id));
}
