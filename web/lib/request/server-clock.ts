/** A smaller difference is none: the server's times have whole seconds, and an answer takes time to arrive. */
const TOLERATED_MS = 30_000;

let aheadMs = 0;

/** Stores by how many milliseconds the device's clock is ahead of the server's; negative if it is behind. */
export function noteClock(ahead: number): void {
  if (Number.isFinite(ahead)) aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0;
}

/** Learns the server's time from an answer that comes from no cache. */
export const noteDate = ({ headers }: Response): void => noteClock(Date.now() - Date.parse(headers.get("date") ?? ""));

/**
 * The present in milliseconds of the epoch, to compare with the server's times. An old tablet's clock may be wrong by
 * days; compared with that, a link seems to have expired that is open.
 */
export const serverNow = (): number => Date.now() - aheadMs;
