import { dateFormat } from "../../../../shared/date-format.ts";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { DayPart } from "../../../data/day.queries.ts";
import type { Memory } from "../../../data/memories.queries.ts";
import type { Entry } from "../../../data/timeline.queries.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import type { ServiceItem } from "./service.queries.ts";

/** The parts of the day on the cover. */
const MOST_PARTS = 3;

/** The dates of a person or event, as they are on the cover. */
export function datesOf({ kind, birth_date, passing_date, event_date }: Memory, language: string): string {
  const dates = kind === "event" ? [event_date] : [birth_date, passing_date];
  return dates.flatMap((date) => (date ? [writtenDate(date, language)] : [])).join(" – ");
}

const clock = (time: string) => time.slice(0, "HH:MM".length);

/** When and where the parts of the day are that everybody may see, a line each. */
export function whenOf(parts: readonly DayPart[], language: string): string {
  const day = dateFormat(localeOf(language), {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return parts
    .filter(({ audience }) => audience === "all")
    .slice(0, MOST_PARTS)
    .map(({ title, on_date, starts_at, place }) =>
      [title, day.format(new Date(`${on_date}T00:00Z`)), starts_at && clock(starts_at), place]
        .filter(Boolean)
        .join(" · "),
    )
    .join("\n");
}

type Part = Pick<Entry, "title" | "starts_at" | "place" | "on_date">;

const whenText = ({ on_date, starts_at }: Part) => `${on_date ?? ""} ${starts_at ?? ""}`;

/** Entries with the titles, times and places of a programme. */
export const itemsOfProgramme = (parts: readonly Part[]): ServiceItem[] =>
  parts
    .toSorted((a, b) => whenText(a).localeCompare(whenText(b)))
    .map(({ title, starts_at, place }) => ({
      id: crypto.randomUUID(),
      kind: "part",
      title,
      by: [starts_at && clock(starts_at), place].filter(Boolean).join(" · "),
      text: "",
    }));
