import type { UploadState } from "./upload-entries.ts";

/** The fields of an upload that its progress needs; sizes in bytes. */
export interface Progressing {
  size: number;
  sent: number;
  state: UploadState;
}

export interface OverallProgress {
  /** The number of files, excluding failed ones and those that wait for the person's answer. */
  files: number;
  stored: number;
  failed: number;
  paused: number;
  sentBytes: number;
  totalBytes: number;
  /** Bytes that will be sent without user action. */
  remainingBytes: number;
  /** 0 to 1; 1 when there is nothing to do. */
  fraction: number;
  busy: boolean;
}

const OUT_OF_THE_SUM: ReadonlySet<UploadState> = new Set(["failed", "duplicate", "needsFile"]);
const BUSY: ReadonlySet<UploadState> = new Set(["checking", "waiting", "uploading", "otherTab"]);

/** Whether an upload continues without user action. */
export const isBusy = ({ state }: { state: UploadState }): boolean => BUSY.has(state);

/** The total progress of a batch. Failed files are excluded, so that the others can reach 100%. */
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

/** Bytes sent at a time in milliseconds. */
export interface Sample {
  at: number;
  sentBytes: number;
}

const WINDOW_MS = 15_000;
const ENOUGH_MS = 1_500;

/** Adds a sample and drops those too old for the current speed; restarts when the sum of sent bytes falls. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && sample.sentBytes < last.sentBytes) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/** Whole seconds until `remainingBytes` are sent at the samples' speed; undefined while it cannot be estimated. */
export function secondsLeft(samples: readonly Sample[], remainingBytes: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < ENOUGH_MS) return undefined;
  const bytesPerMs = (last.sentBytes - first.sentBytes) / (last.at - first.at);
  return bytesPerMs <= 0 ? undefined : Math.ceil(remainingBytes / bytesPerMs / 1000);
}

/** A rounded remaining time with its unit. */
export interface TimeLeft {
  unit: "seconds" | "minutes" | "hours";
  count: number;
}

/** Rounds seconds: to steps of five under a minute, then to minutes, then to hours. */
export function roundedTimeLeft(seconds: number): TimeLeft {
  if (seconds < 55) return { unit: "seconds", count: Math.max(5, Math.ceil(seconds / 5) * 5) };
  if (seconds < 55 * 60) return { unit: "minutes", count: Math.max(1, Math.round(seconds / 60)) };
  return { unit: "hours", count: Math.max(1, Math.round(seconds / 3600)) };
}
