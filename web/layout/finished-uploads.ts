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
