import { type ApproximateDate, dateOrder } from "../../../shared/approximate-date.ts";
import type { Entry } from "../../data/timeline.queries.ts";

/** The parts of one day of an event; `day` is undefined where neither the event nor its parts say when. */
export interface ProgrammeDay {
  day: ApproximateDate | undefined;
  parts: Entry[];
}

/** An event's parts by day and by the clock; those without a time come after those with one, as they were added. */
export function programmeOf(eventDate: ApproximateDate | null, entries: readonly Entry[]): ProgrammeDay[] {
  const dayOf = ({ on_date }: Entry) => on_date ?? eventDate ?? "~";
  const order = (entry: Entry) => `${dateOrder(dayOf(entry)) ?? "~"} ${entry.starts_at ?? "~"} ${entry.created_at}`;
  const days: ProgrammeDay[] = [];
  for (const entry of [...entries].sort((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const day = dayOf(entry) === "~" ? undefined : dayOf(entry);
    const last = days.at(-1);
    if (last && last.day === day) last.parts.push(entry);
    else days.push({ day, parts: [entry] });
  }
  return days;
}

/** A time of day as it stands on a programme: `15:30:00` is 15:30. */
export const clock = (time: string) => time.slice(0, "HH:MM".length);
