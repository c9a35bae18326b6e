import type { UploadState } from "./upload-entries.ts";

/** The size in bytes from which a file delays others by minutes. */
export const LARGE_BYTES = 64 * 1024 * 1024;

interface Scheduled {
  size: number;
  state: UploadState;
}

/**
 * Selects the next uploads in the order of addition: photos before large videos, and one large video at a time, so that
 * the first is finished sooner.
 */
export function nextToSend<T extends Scheduled>(files: readonly T[], atOnce: number): T[] {
  // Uploads of other tabs count too.
  const sending = files.filter(({ state }) => state === "uploading" || state === "otherTab");
  const waiting = files.filter(({ state }) => state === "waiting");
  const isLarge = ({ size }: Scheduled) => size >= LARGE_BYTES;
  const small = waiting.filter((file) => !isLarge(file));
  const large = sending.some(isLarge) ? [] : waiting.filter(isLarge).slice(0, 1);
  return [...small, ...large].slice(0, Math.max(0, atOnce - sending.length));
}

/** The browser's report about its connection, if supported. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** The number of parallel uploads: three, or one on a slow connection or with data saver. */
export function filesAtOnce(connection: Connection | undefined): number {
  return connection?.saveData || /2g|3g/.test(connection?.effectiveType ?? "") ? 1 : 3;
}
