import { ICalCalendar, ICalCalendarMethod, ICalEventStatus } from "ical-generator";

export type CalendarLanguage = "en" | "it";

/** A part of a day, as its reader may see it. Times of day are `HH:MM:SS` at the place. */
export interface CalendarPart {
  id: string;
  title: string;
  /** `YYYY-MM-DD` at the place. */
  on_date: string;
  starts_at: string | null;
  doors_at: string | null;
  time_zone: string;
  /** ISO 8601 with an offset. */
  begins_at: string;
  finishes_at: string;
  place: string;
  address: string;
  map_url: string;
  note: string;
  directions: string;
  parking: string;
  accessibility: string;
  dress: string;
  gifts: string;
  gifts_url: string;
  contact: string;
  /** Null before its time, and without a livestream. */
  stream_url: string | null;
  revision: number;
  created_at: string;
  updated_at: string;
}

export interface CalendarFacts {
  /** The memory's name. */
  name: string;
  parts: CalendarPart[];
  language: CalendarLanguage;
  /** The page of the day; undefined if the reader has no address that opens it. */
  page: string | undefined;
}

/**
 * Returns an iCalendar file (RFC 5545). Every part keeps its UID for ever, and its sequence rises with each change.
 * Times are in UTC: these are single moments, and their instants follow from the place's time zone.
 */
export function calendarFile({ name, parts, language, page }: CalendarFacts): string {
  const calendar = new ICalCalendar({
    name,
    prodId: { company: "Skies", product: "Days", language: language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    // Clients that respect it ask again after an hour.
    ttl: 3600,
  });
  for (const part of parts) {
    const allDay = part.starts_at === null;
    const location = [part.place, part.address].filter(Boolean).join(", ");
    calendar.createEvent({
      id: `${part.id}@skies`,
      sequence: part.revision - 1,
      stamp: new Date(part.updated_at),
      created: new Date(part.created_at),
      lastModified: new Date(part.updated_at),
      status: ICalEventStatus.CONFIRMED,
      summary: `${part.title}, ${name}`,
      // Dates of whole days are written as they are here, in the time zone of this process.
      start: allDay ? localMidnight(part.on_date, 0) : new Date(part.begins_at),
      end: allDay ? localMidnight(part.on_date, 1) : new Date(part.finishes_at),
      allDay,
      ...(location && { location }),
      description: descriptionOf(part, language),
      ...(page && { url: page }),
    });
  }
  return calendar.toString();
}

function localMidnight(day: string, later: number): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later);
}

const LABELS: Record<CalendarLanguage, Record<Fact, string>> = {
  en: {
    doors_at: "Doors open",
    time_zone: "Time zone of the place",
    map_url: "Map",
    directions: "Getting there",
    parking: "Parking",
    accessibility: "Access",
    dress: "Dress",
    gifts: "Flowers and gifts",
    contact: "Contact",
    stream_url: "Livestream",
  },
  it: {
    doors_at: "Apertura porte",
    time_zone: "Fuso orario del luogo",
    map_url: "Mappa",
    directions: "Come arrivare",
    parking: "Parcheggio",
    accessibility: "Accesso",
    dress: "Abbigliamento",
    gifts: "Fiori e doni",
    contact: "Contatto",
    stream_url: "Diretta",
  },
};
const FACTS = [
  "doors_at",
  "time_zone",
  "map_url",
  "directions",
  "parking",
  "accessibility",
  "dress",
  "gifts",
  "contact",
  "stream_url",
] as const;
type Fact = (typeof FACTS)[number];

/** The part's words, and a line for each fact. */
function descriptionOf(part: CalendarPart, language: CalendarLanguage): string {
  const text = (fact: Fact) => {
    if (fact === "doors_at") return part.doors_at?.slice(0, "HH:MM".length);
    if (fact === "time_zone") return part.starts_at === null ? undefined : part.time_zone;
    if (fact === "gifts") return [part.gifts, part.gifts_url].filter(Boolean).join("\n");
    return part[fact];
  };
  const lines = FACTS.flatMap((fact) => {
    const value = text(fact);
    return value ? [`${LABELS[language][fact]}: ${value}`] : [];
  });
  return [part.note, lines.join("\n")].filter(Boolean).join("\n\n");
}
