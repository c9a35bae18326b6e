/** The kinds of device that a person would name; empty for anything else, programs included. */
export type DeviceKind = "" | "phone" | "tablet" | "computer";

const KINDS: [RegExp, DeviceKind][] = [
  [/\bbot\b|\bcrawler\b|facebookexternalhit|preview/i, ""],
  [/\biPad\b|\bTablet\b|\bSilk\//, "tablet"],
  [/\biPhone\b|\bAndroid\b.*\bMobile\b|\bWindows Phone\b/, "phone"],
  // An Android browser that does not say "Mobile" is on a tablet.
  [/\bAndroid\b/, "tablet"],
  [/\b(Windows|Macintosh|CrOS|Linux)\b/, "computer"],
];

/** The kind of device in a User-Agent header. An iPad that requests desktop pages counts as a computer. */
export const deviceKind = (userAgent: string | null | undefined): DeviceKind =>
  KINDS.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? "";
