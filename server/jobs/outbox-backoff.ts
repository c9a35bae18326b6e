const MINUTE = 60_000;
const LONGEST = 12 * 60 * MINUTE;

/** How often a message is tried, about a day and a half in all, before it is given up. */
export const MOST_ATTEMPTS = 12;

/**
 * How many milliseconds to wait after the `attempts`th failure in a row: one minute, doubled each time, up to twelve
 * hours. `random` (0 to 1) takes up to a quarter off, so that what failed together is not tried again together.
 */
export function backoff(attempts: number, random = Math.random()): number {
  const wait = Math.min(LONGEST, MINUTE * 2 ** (attempts - 1));
  return Math.round(wait * (1 - random / 4));
}
