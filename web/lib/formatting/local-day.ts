/** The calendar day of a moment in the reader's time zone, `YYYY-MM-DD`. */
export function localDay(moment: string | Date): string {
  const at = new Date(moment);
  const [year, month, day] = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(String);
  return [year?.padStart(4, "0"), month?.padStart(2, "0"), day?.padStart(2, "0")].join("-");
}

/** The first moment of a calendar day (`YYYY-MM-DD`) in the reader's time zone, ISO 8601. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** The last millisecond of a calendar day (`YYYY-MM-DD`) in the reader's time zone, ISO 8601. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();
