import type { UploadState } from "./upload-entries.ts";

/** From here on a file holds others up for minutes. */
export const LARGE_BYTES = 64 * 1024 * 1024;

interface Scheduled {
  size: number;
  state: UploadState;
}

/**
 * Which of the waiting files to send next, in the order they came: photos before large videos, so that they do not wait
 * for minutes, and one large video at a time, so that the first of two is there sooner.
 */
export function nextToSend<T extends Scheduled>(files: readonly T[], atOnce: number): T[] {
  // What another tab sends takes the same line.
  const sending = files.filter(({ state }) => state === "uploading" || state === "otherTab");
  const waiting = files.filter(({ state }) => state === "waiting");
  const isLarge = ({ size }: Scheduled) => size >= LARGE_BYTES;
  const small = waiting.filter((file) => !isLarge(file));
  const large = sending.some(isLarge) ? [] : waiting.filter(isLarge).slice(0, 1);
  return [...small, ...large].slice(0, Math.max(0, atOnce - sending.length));
}

/** What a browser reports about its connection, where it does. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** How many files to send at once: three, or one where the network is slow or its person saves data. */
export function filesAtOnce(connection: Connection | undefined): number {
  return connection?.saveData || /2g|3g/.test(connection?.effectiveType ?? "") ? 1 : 3;
}
