import type { ApproximateDate } from "../../../../shared/approximate-date.ts";
import { yearIn } from "../../../ui/date-text.ts";

const ABOUT = /\b(about|around|circa|roughly|maybe|perhaps|verso|intorno|forse|c)\b|\bca\b|~|\?/i;

/** The date that an answer such as "about 1962" names, as a proposal for the form; null if it names no year. */
export function dateInAnswer(answer: string): ApproximateDate | null {
  const year = yearIn(answer);
  if (!/^\d{4}$/.test(year)) return null;
  return `${year}${ABOUT.test(answer) ? "~" : ""}`;
}
