import { numberText } from "./number-text.ts";

/** A gigabyte of storage in bytes (Spec §9). */
export const GIGABYTE = 1024 ** 3;

/** Converts a plan's gigabytes to bytes. */
export const storageLimit = (storageGb: number): number => storageGb * GIGABYTE;

export type StorageLevel = "calm" | "near" | "full";

/** Returns "near" above 75% of the limit and "full" above 90% (Spec §4 and §9), compared exactly in bytes. */
export function storageLevel(used: number, limit: number): StorageLevel {
  if (used * 100 > limit * 90) return "full";
  return used * 100 > limit * 75 ? "near" : "calm";
}

/** Formats the used share in whole percent, rounded up, so that a value above a level is also displayed above it. */
export const percentUsed = (used: number, limit: number): string =>
  used > 0 && used * 100 < limit ? "<1%" : `${Math.ceil((used * 100) / limit)}%`;

const UNITS = ["B", "KB", "MB", "GB"] as const;

/**
 * Formats a size in B, KB, MB or GB (Spec §9): the largest unit in which it is at least 1, in the locale's number
 * format.
 */
export function sizeText(bytes: number, locale: string): string {
  for (let power = 0; ; power++) {
    const value = bytes / 1024 ** power;
    const digits = power === 0 || value >= 99.95 ? 0 : 1;
    // A value that rounds to 1,024 of a unit is written as 1 of the next unit.
    if (power < UNITS.length - 1 && Math.round(value * 10 ** digits) / 10 ** digits >= 1024) continue;
    const [whole = "", tenths = "0"] = value.toFixed(digits).split(".");
    const point = locale.startsWith("it") ? "," : ".";
    return `${numberText(Number(whole), locale)}${tenths === "0" ? "" : point + tenths}\u00a0${UNITS[power]}`;
  }
}
