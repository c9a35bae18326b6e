import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../shared/written-date.ts";
import { EntryPicture } from "./EntryPicture.tsx";
import { clock, programmeOf } from "./programme.ts";
import { type EntriesShown, EntryText } from "./Timeline.tsx";

/** What happens when and where, by day and by the clock. */
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
                <li key={entry.id} className="break-inside-avoid py-5">
                  {form ?? (
                    <div className="grid grid-cols-[4.25rem_1fr] gap-x-4 @lg:grid-cols-[6rem_1fr_auto] @lg:gap-x-6">
                      <p className="font-serif text-2xl leading-8 text-deep tabular-nums">
                        {entry.starts_at && <time dateTime={clock(entry.starts_at)}>{clock(entry.starts_at)}</time>}
                      </p>
                      <div className="grid min-w-0 content-start gap-1">
                        <div className="flex items-start justify-between gap-2">
                          <p className="font-serif text-xl leading-8">{entry.title}</p>
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
