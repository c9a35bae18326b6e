import { useTranslation } from "react-i18next";
import { type ApproximateDate, dateOrder } from "../../../shared/approximate-date.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import type { Entry } from "../../data/timeline.queries.ts";
import { EntryPicture } from "./EntryPicture.tsx";
import { anchorOf, type EntriesShown, EntryText } from "./Timeline.tsx";

/** Renders a programme ordered by day and time. */
export function Programme({ memory, entries, media, toolsOf }: EntriesShown) {
  const { i18n } = useTranslation("stories");
  const days = programmeOf(memory.event_date, entries);
  return (
    <div className="grid gap-8">
      {days.map(({ day, parts }) => (
        <div key={day ?? "undated"} className="grid gap-2">
          {days.length > 1 && day && (
            <h3 className="font-serif text-xl text-ink-soft">{writtenDate(day, i18n.language)}</h3>
          )}
          <ol className="m-0 grid list-none divide-y divide-line p-0">
            {parts.map((entry) => {
              const { form, tools } = toolsOf?.(entry) ?? {};
              return (
                <li key={entry.id} id={anchorOf(entry.id)} className="break-inside-avoid py-5">
                  {form ?? (
                    <div className="grid grid-cols-[4.25rem_1fr] gap-x-4 @lg:grid-cols-[6rem_1fr_auto] @lg:gap-x-6">
                      <p className="font-serif text-2xl leading-8 text-deep tabular-nums">
                        {entry.starts_at && <time dateTime={clock(entry.starts_at)}>{clock(entry.starts_at)}</time>}
                      </p>
                      <div className="grid min-w-0 content-start gap-1">
                        <div className="flex items-start justify-between gap-2">
                          <p dir="auto" className="font-serif text-xl leading-8">
                            {entry.title}
                          </p>
                          {tools}
                        </div>
                        <EntryText entry={entry} />
                      </div>
                      <div className="col-start-2 mt-3 empty:hidden @lg:col-start-3 @lg:mt-0 print:hidden">
                        <EntryPicture id={entry.media_id} media={media} />
                      </div>
                    </div>
                  )}
                </li>
              );
            })}
          </ol>
        </div>
      ))}
    </div>
  );
}

/** The parts of one day; `day` is undefined if the date is unknown. */
interface ProgrammeDay {
  day: ApproximateDate | undefined;
  parts: Entry[];
}

/** Groups an event's parts by day and sorts them by time. Parts without a time come last, in the order of creation. */
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

/** Formats a time of day: `15:30:00` becomes 15:30. */
export const clock = (time: string) => time.slice(0, "HH:MM".length);
