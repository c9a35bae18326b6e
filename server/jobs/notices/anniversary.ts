/** A calendar day, in no time zone. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/** A day as the database writes it, `1936-02-29`. */
export function dayOf(date: string): Day {
  const [year = 0, month = 0, day = 0] = date.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/**
 * How many years ago a day was, where today is the day on which one thinks of it; undefined on all other days, and in its
 * own year. The 29th of February is thought of on the 28th in years that have none, which is still its month.
 */
export function yearsToday(date: string, today: Day): number | undefined {
  const { year, month, day } = dayOf(date);
  const years = today.year - year;
  if (years < 1 || month !== today.month) return undefined;
  const kept = month === 2 && day === 29 && !isLeap(today.year) ? 28 : day;
  return kept === today.day ? years : undefined;
}
