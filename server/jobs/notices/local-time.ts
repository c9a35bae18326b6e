/** The hour of emails that are not sent immediately: the reader's morning. */
export const MORNING = 8;

/** A local time. Months count from 1, Monday is 1 and Sunday 7. */
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

/** One formatter per zone, because creating them is slow. An unknown zone is read as UTC. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone);
  if (format) return format;
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

/** The local time in a zone, by its IANA name, at a moment. */
export function localTime(at: Date, zone: string): LocalTime {
  const { year, month, day, hour } = fieldsAt(at, zone);
  return { year, month, day, hour, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7 };
}

/** Formats a day as `2026-03-09`. */
export const isoDay = ({ year, month, day }: Pick<LocalTime, "year" | "month" | "day">): string =>
  [`${year}`.padStart(4, "0"), `${month}`.padStart(2, "0"), `${day}`.padStart(2, "0")].join("-");

/** A zone's offset from UTC at a moment, in milliseconds. */
function offsetAt(at: Date, zone: string): number {
  const { year, month, day, hour, minute } = fieldsAt(at, zone);
  const localTime = Date.UTC(year, month - 1, day, hour, minute);
  return localTime - Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
}

/** The moment of morning in a zone, `days` after the given day. */
function morningOf({ year, month, day }: LocalTime, days: number, zone: string): Date {
  const localTime = Date.UTC(year, month - 1, day + days, MORNING);
  // The clock may change between the guess and the morning; the second computation is exact.
  const guess = localTime - offsetAt(new Date(localTime), zone);
  return new Date(localTime - offsetAt(new Date(guess), zone));
}

/** The next morning in a zone; for weekly emails that of Monday. */
export function nextMorning(after: Date, zone: string, every: "day" | "week"): Date {
  const today = localTime(after, zone);
  for (let days = 0; ; days++) {
    const morning = morningOf(today, days, zone);
    const isMonday = localTime(morning, zone).weekday === 1;
    if (morning > after && (every === "day" || isMonday)) return morning;
    if (days * DAY_MS > 14 * DAY_MS) throw new Error(`No morning comes in ${zone}`);
  }
}
