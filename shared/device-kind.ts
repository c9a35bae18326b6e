/** A kind of device; empty for anything else, e.g. programs. */
export type DeviceKind = "" | "phone" | "tablet" | "computer";

const KINDS: [RegExp, DeviceKind][] = [
  [/\bbot\b|\bcrawler\b|facebookexternalhit|preview/i, ""],
  [/\biPad\b|\bTablet\b|\bSilk\//, "tablet"],
  [/\biPhone\b|\bAndroid\b.*\bMobile\b|\bWindows Phone\b/, "phone"],
  // An Android browser without "Mobile" in its header runs on a tablet.
  [/\bAndroid\b/, "tablet"],
  [/\b(Windows|Macintosh|CrOS|Linux)\b/, "computer"],
];

/** The part of a User-Agent header that is read, in characters. */
export const LONGEST_USER_AGENT = 500;

/** Returns the kind of device in a User-Agent header. An iPad that requests desktop pages counts as a computer. */
export const deviceKind = (userAgent: string | null | undefined): DeviceKind =>
  KINDS.find(([pattern]) => pattern.test((userAgent ?? "").slice(0, LONGEST_USER_AGENT)))?.[1] ?? "";
