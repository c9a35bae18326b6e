import { type Engraving, MOST_NAME } from "../../../../shared/card.ts";
import type { CardMemory } from "../cards.queries.ts";

const year = (day: string | null) => day?.slice(0, 4);

/** What one would engrave for a memory: its name, and a life's years or an event's day. */
export function wordsOf(memory: CardMemory, locale: string): Pick<Engraving, "name" | "dates"> {
  const name = memory.person_name.slice(0, MOST_NAME).trim();
  if (memory.kind === "event") {
    const day = memory.event_date;
    const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
    return { name, dates: day ? format.format(new Date(`${day}T12:00:00Z`)) : "" };
  }
  return { name, dates: [year(memory.birth_date), year(memory.passing_date)].filter(Boolean).join(" – ") };
}
