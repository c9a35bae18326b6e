import { MapPin } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type ApproximateDate, dateOrder, daysOf } from "../../../shared/approximate-date.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import type { Memory } from "../../data/memories.queries.ts";
import type { Entry } from "../../data/timeline.queries.ts";
import type { KnownMedia } from "../../media/use-story-media.ts";
import { classNames } from "../../ui/class-names.ts";
import { EntryPicture } from "./EntryPicture.tsx";

export interface EntryTools {
  /** Form that replaces the entry while the entry is edited. */
  form?: ReactNode;
  tools?: ReactNode;
}

export interface EntriesShown {
  memory: Pick<Memory, "kind" | "person_name" | "birth_date" | "passing_date" | "event_date">;
  entries: Entry[];
  media: KnownMedia;
  toolsOf?: (entry: Entry) => EntryTools;
}

/** Renders a timeline: each year once in large type, with the year's moments beside it. */
export function Timeline({ memory, entries, media, toolsOf }: EntriesShown) {
  const moments = lifeOf(memory, entries);
  return (
    <ol className="m-0 grid list-none p-0">
      {moments.map((moment, index) => {
        const year = moment.date ? yearOf(moment.date) : undefined;
        const before = moments[index - 1]?.date;
        const newYear = year !== undefined && (!before || yearOf(before) !== year);
        return (
          <li
            key={moment.is === "entry" ? moment.entry.id : moment.is}
            id={moment.is === "entry" ? anchorOf(moment.entry.id) : undefined}
            className="grid gap-x-8 @lg:grid-cols-[7rem_1fr]"
          >
            <div aria-hidden className="font-serif text-4xl leading-none text-deep @lg:pt-0.5 @lg:text-end">
              {newYear && <span className="block pb-3 @lg:pb-0">{year}</span>}
            </div>
            <div
              className={classNames(
                "relative border-s border-edge/60 ps-6 @lg:ps-8",
                index < moments.length - 1 ? "pb-10" : "pb-2",
              )}
            >
              <span
                aria-hidden
                className={classNames(
                  "absolute start-[-0.4rem] top-2.5 size-3 rounded-full border-2 border-paper",
                  moment.is === "entry" ? "bg-edge" : "bg-deep",
                )}
              />
              <Moment
                moment={moment}
                media={media}
                toolsOf={toolsOf}
                saysYear={newYear && moment.date === year?.padStart(4, "0")}
              />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

interface MomentProps extends Pick<EntriesShown, "media" | "toolsOf"> {
  moment: LifeMoment;
  /** Whether the moment's date is only a year, which the large type beside the moment already shows. */
  saysYear: boolean;
}

function Moment({ moment, media, toolsOf, saysYear }: MomentProps) {
  const { t, i18n } = useTranslation("stories");
  const date = moment.date && writtenDate(moment.date, i18n.language);
  if (moment.is !== "entry") {
    return (
      <div className="grid gap-0.5">
        <h3 className="font-serif text-xl">{t(`life.${moment.is}`)}</h3>
        <p className="text-base text-ink-soft">{date}</p>
      </div>
    );
  }
  const { entry } = moment;
  const { form, tools } = toolsOf?.(entry) ?? {};
  if (form) return form;
  return (
    <div className="flex flex-col gap-4 @lg:flex-row @lg:items-start @lg:justify-between">
      <div className="grid min-w-0 grow gap-1">
        <div className="flex items-start justify-between gap-2">
          <div className="grid gap-0.5">
            <h3 dir="auto" className="font-serif text-xl">
              {entry.title}
            </h3>
            <p className={saysYear ? "sr-only" : "text-base text-ink-soft"}>{date ?? t("life.undated")}</p>
          </div>
          {tools}
        </div>
        <EntryText entry={entry} />
      </div>
      <EntryPicture id={entry.media_id} media={media} />
    </div>
  );
}

/** The element id of an entry, for links. */
export const anchorOf = (id: string) => `moment-${id}`;

/** Renders an entry's place and note. */
export function EntryText({ entry: { place, note } }: { entry: Pick<Entry, "place" | "note"> }) {
  return (
    <>
      {place && (
        <p className="flex items-start gap-2 text-base text-ink-soft">
          <MapPin aria-hidden className="mt-1 size-4 shrink-0" />
          <span dir="auto">{place}</span>
        </p>
      )}
      {note && (
        <p dir="auto" className="max-w-prose whitespace-pre-line">
          {note}
        </p>
      )}
    </>
  );
}

/** A moment on the timeline of a life. */
export type LifeMoment =
  | { is: "born" | "died"; date: ApproximateDate }
  | { is: "entry"; date: ApproximateDate | null; entry: Entry };

interface Life {
  birth_date: ApproximateDate | null;
  passing_date: ApproximateDate | null;
}

/** Returns the year of a date without leading zeros (988 for 0988); undefined for a decade. */
export const yearOf = (date: ApproximateDate) => (/^\d{4}/.test(date) ? String(Number(date.slice(0, 4))) : undefined);

const RANKS = { born: 0, entry: 1, died: 2 };

/**
 * Returns the moments of a life in order of their approximate dates. The birth counts as its earliest possible day, the
 * passing as its latest. An entry dated only by the year of birth comes after the birth. Undated entries come last.
 */
export function lifeOf({ birth_date, passing_date }: Life, entries: readonly Entry[]): LifeMoment[] {
  const moments: LifeMoment[] = entries.map((entry) => ({ is: "entry", date: entry.on_date, entry }));
  if (birth_date) moments.push({ is: "born", date: birth_date });
  if (passing_date) moments.push({ is: "died", date: passing_date });
  const birth = birth_date && daysOf(birth_date);
  const orderOf = ({ is, date }: LifeMoment) => {
    const days = date && daysOf(date);
    if (!date || !days) return "~";
    if (is === "died") return `${days.last}~`;
    const sinceBirth = birth && days.first < birth.first && birth.first <= days.last;
    return sinceBirth ? `${birth.first}~` : (dateOrder(date) ?? "~");
  };
  return moments.sort(
    (one, other) =>
      compare(orderOf(one), orderOf(other)) || RANKS[one.is] - RANKS[other.is] || compare(addedAt(one), addedAt(other)),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const addedAt = (moment: LifeMoment) => (moment.is === "entry" ? moment.entry.created_at : "");
