import { LONGEST_USER_AGENT } from "./device-kind.ts";

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/\S+ .*Safari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/**
 * Returns a readable device name for a User-Agent header, e.g. "Safari, iPhone". It does not depend on versions. For
 * other programs it is the product name in the header; without a header it is empty.
 */
export function deviceName(userAgent: string | null | undefined): string {
  if (!userAgent) return "";
  const header = userAgent.slice(0, LONGEST_USER_AGENT);
  const names = [BROWSERS, SYSTEMS].flatMap(
    (patterns) => patterns.find(([pattern]) => pattern.test(header))?.[1] ?? [],
  );
  return names.length > 0 ? names.join(", ") : (userAgent.match(/^[^\s/]{1,40}/)?.[0] ?? "");
}
