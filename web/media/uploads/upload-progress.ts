import type { UploadState } from "./upload-entries.ts";

/** What of an upload its progress needs: sizes in bytes. */
export interface Progressing {
  size: number;
  sent: number;
  state: UploadState;
}

export interface OverallProgress {
  /** Files that count: all but the failed ones and those that wait for an answer. */
  files: number;
  stored: number;
  failed: number;
  paused: number;
  sentBytes: number;
  totalBytes: number;
  /** What is still to be sent without anybody's doing. */
  remainingBytes: number;
  /** 0 to 1; 1 when there is nothing to do. */
  fraction: number;
  busy: boolean;
}

const OUT_OF_THE_SUM: ReadonlySet<UploadState> = new Set(["failed", "duplicate", "needsFile"]);
const BUSY: ReadonlySet<UploadState> = new Set(["checking", "waiting", "uploading", "otherTab"]);

/** Whether a file goes on without anybody's doing. */
export const isBusy = ({ state }: { state: UploadState }): boolean => BUSY.has(state);

/** How far a batch of uploads is, as one. Failed files leave the sum, so that the others can still reach the end. */
export function overallProgress(uploads: readonly Progressing[]): OverallProgress {
  const overall = { files: 0, stored: 0, failed: 0, paused: 0, sentBytes: 0, totalBytes: 0, remainingBytes: 0 };
  let busy = false;
  for (const { state, size, sent } of uploads) {
    if (state === "failed") overall.failed++;
    if (OUT_OF_THE_SUM.has(state)) continue;
    const counted = state === "stored" ? size : Math.min(sent, size);
    overall.files++;
    overall.totalBytes += size;
    overall.sentBytes += counted;
    if (state === "stored") overall.stored++;
    if (state === "paused") overall.paused++;
    if (!BUSY.has(state)) continue;
    busy = true;
    overall.remainingBytes += size - counted;
  }
  return { ...overall, busy, fraction: overall.totalBytes === 0 ? 1 : overall.sentBytes / overall.totalBytes };
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
