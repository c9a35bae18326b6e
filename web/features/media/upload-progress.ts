/** What of an upload its progress needs: sizes in bytes. */
export interface Progressing {
  size: number;
  sent: number;
  state: "waiting" | "uploading" | "elsewhere" | "stored" | "failed";
}

export interface OverallProgress {
  /** Files that count: all but the failed ones. */
  files: number;
  stored: number;
  failed: number;
  sentBytes: number;
  totalBytes: number;
  /** 0 to 1; 1 when there is nothing to do. */
  fraction: number;
  busy: boolean;
}

/** How far a batch of uploads is, as one. Failed files leave the sum, so that the others can still reach the end. */
export function overallProgress(uploads: readonly Progressing[]): OverallProgress {
  const counting = uploads.filter((upload) => upload.state !== "failed");
  const stored = counting.filter((upload) => upload.state === "stored");
  const totalBytes = counting.reduce((sum, upload) => sum + upload.size, 0);
  const sentBytes = counting.reduce(
    (sum, upload) => sum + (upload.state === "stored" ? upload.size : Math.min(upload.sent, upload.size)),
    0,
  );
  return {
    files: counting.length,
    stored: stored.length,
    failed: uploads.length - counting.length,
    sentBytes,
    totalBytes,
    fraction: totalBytes === 0 ? 1 : sentBytes / totalBytes,
    busy: stored.length < counting.length,
  };
}

/** Bytes that had been sent at a moment in milliseconds. */
export interface Sample {
  at: number;
  sentBytes: number;
}

const WINDOW_MS = 15_000;
const ENOUGH_MS = 1_500;

/** Adds a sample and forgets those too old to tell today's speed; starts again when the sum of sent bytes falls. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && sample.sentBytes < last.sentBytes) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/** Whole seconds until `remainingBytes` are sent at the speed of the samples; undefined while that would be a guess. */
export function secondsLeft(samples: readonly Sample[], remainingBytes: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < ENOUGH_MS) return undefined;
  const bytesPerMs = (last.sentBytes - first.sentBytes) / (last.at - first.at);
  return bytesPerMs <= 0 ? undefined : Math.ceil(remainingBytes / bytesPerMs / 1000);
}

/** Time left as people say it. */
export interface TimeLeft {
  unit: "seconds" | "minutes" | "hours";
  count: number;
}

/** Seconds as people say them: in steps of five under a minute, then whole minutes, then hours. */
export function roundedTimeLeft(seconds: number): TimeLeft {
  if (seconds < 55) return { unit: "seconds", count: Math.max(5, Math.ceil(seconds / 5) * 5) };
  if (seconds < 55 * 60) return { unit: "minutes", count: Math.max(1, Math.round(seconds / 60)) };
  return { unit: "hours", count: Math.max(1, Math.round(seconds / 3600)) };
}
