/** The hour at which emails that are not sent at once go out, in the morning of their reader. */
export const MORNING = 8;

/** A clock on the wall. Months count from 1, Monday is 1 and Sunday 7. */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  weekday: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** One for each zone: making them is what takes time. A zone that this process does not know is read as UTC. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const make = (timeZone: string) => new Intl.DateTimeFormat("en-GB", { ...fields, hourCycle: "h23", timeZone });
  let made: Intl.DateTimeFormat;
  try {
    made = make(zone);
  } catch {
    made = make("UTC");
  }
  formats.set(zone, made);
  return made;
}

function fieldsAt(at: Date, zone: string) {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

/** What a clock shows in a zone, by its IANA name, at a moment. */
export function localTime(at: Date, zone: string): LocalTime {
  const { year, month, day, hour } = fieldsAt(at, zone);
  return { year, month, day, hour, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7 };
}

/** The same day as `2026-03-09`. */
export const isoDay = ({ year, month, day }: Pick<LocalTime, "year" | "month" | "day">): string =>
  [`${year}`.padStart(4, "0"), `${month}`.padStart(2, "0"), `${day}`.padStart(2, "0")].join("-");

/** How far a zone's clock is ahead of UTC at a moment, in milliseconds. */
function offsetAt(at: Date, zone: string): number {
  const { year, month, day, hour, minute } = fieldsAt(at, zone);
  const shown = Date.UTC(year, month - 1, day, hour, minute);
  return shown - Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
}

/** The moment at which it is morning on a day in a zone; `days` counts on from that day. */
function morningOf({ year, month, day }: LocalTime, days: number, zone: string): Date {
  const shown = Date.UTC(year, month - 1, day + days, MORNING);
  // The clock may be put forward or back between the guess and the morning; the second look is right.
  const guess = shown - offsetAt(new Date(shown), zone);
  return new Date(shown - offsetAt(new Date(guess), zone));
}

/** The first morning after a moment in a zone; of a week, that of Monday. */
export function nextMorning(after: Date, zone: string, every: "day" | "week"): Date {
  const today = localTime(after, zone);
  for (let days = 0; ; days++) {
    const morning = morningOf(today, days, zone);
    const isMonday = localTime(morning, zone).weekday === 1;
    if (morning > after && (every === "day" || isMonday)) return morning;
    if (days * DAY_MS > 14 * DAY_MS) throw new Error(`No morning comes in ${zone}`);
  }
}
