import { z } from "zod";

/** An IANA name, e.g. Europe/Rome. */
export const TimeZone = z.string().max(100).refine(isTimeZone, "There is no such time zone.");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
