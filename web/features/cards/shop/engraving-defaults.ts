import { type ApproximateDate, dateOf, parseDate } from "../../../../shared/approximate-date.ts";
import type { Engraving } from "../../../../shared/card.ts";
import { MOST_NAME } from "../../../../shared/card-face.ts";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { CardMemory } from "../use-card-memories.ts";

/** Returns a date's year, or its decade if only that is known. "c." is used, as the card has no space for "about". */
function year(date: ApproximateDate | null, locale: string): string | undefined {
  const parts = date ? parseDate(date) : undefined;
  if (!parts) return undefined;
  const { precision, circa } = parts;
  const text = precision === "decade" ? writtenDate(dateOf({ ...parts, circa: false }), locale) : parts.year;
  return `${circa ? "c. " : ""}${text}`;
}

/** The default text for a memory's card: its name, and the years of a life or the day of an event. */
export function wordsOf(memory: CardMemory, locale: string): Pick<Engraving, "name" | "dates"> {
  const name = memory.person_name.slice(0, MOST_NAME).trim();
  if (memory.kind === "event") {
    const day = memory.event_date;
    return { name, dates: day ? writtenDate(day, locale) : "" };
  }
  return {
    name,
    dates: [year(memory.birth_date, locale), year(memory.passing_date, locale)].filter(Boolean).join(" – "),
  };
}
