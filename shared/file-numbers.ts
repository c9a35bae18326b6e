/**
 * Numbers that come from a file's own figures (durations, sizes, rates, positions). They may be fractions, negative,
 * infinite, or no numbers at all, and APIs refuse those: timers, columns, buffers, players. Every such number passes
 * one of these functions first.
 */

/** The longest plausible video in seconds: a month. */
export const LONGEST_SECONDS = 31 * 86_400;
/** The largest plausible side of a picture in pixels; the database holds larger ones, but no decoder does. */
export const LARGEST_SIDE = 1_000_000;
/** The longest time of a timer in milliseconds: longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The number if it is finite and within the limits (inclusive), otherwise undefined. Texts are not converted. */
export function plausible(value: unknown, { least, most }: { least: number; most: number }): number | undefined {
  return typeof value === "number" && value >= least && value <= most ? value : undefined;
}

/** A duration or position in seconds, possibly a fraction; undefined for none, and for zero. */
export const plausibleSeconds = (value: unknown): number | undefined => {
  const seconds = plausible(value, { least: 0, most: LONGEST_SECONDS });
  return seconds === 0 ? undefined : seconds;
};

/** A width or height in whole pixels; undefined if it is none. */
export const plausibleSide = (value: unknown): number | undefined =>
  plausible(typeof value === "number" ? Math.round(value) : value, { least: 1, most: LARGEST_SIDE });

/** A share from 0 to 1; 0 if it is no number. */
export const share = (value: number | null | undefined): number => Math.min(1, Math.max(0, value || 0));

/** Whole milliseconds for a timer, within the limits; the lower limit if the value is no number. */
export function timerMs(milliseconds: number, { least = 0, most = LONGEST_TIMER_MS } = {}): number {
  const limited = Number.isNaN(milliseconds) ? least : Math.min(most, Math.max(least, milliseconds));
  return Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(limited)));
}
