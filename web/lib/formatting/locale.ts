import { dateFormat } from "../../../shared/date-format.ts";

/** The locale of dates and times in a language of the app: English is British, like its prices. */
export const localeOf = (language: string) => (language.startsWith("en") ? "en-GB" : language);

/** Formats the day of a moment in the reader's time zone. */
export const dateText = (moment: string, locale: string) =>
  dateFormat(locale, { dateStyle: "long" }).format(new Date(moment));

/** Formats a whole number in a language of the app. */
export const numberText = (value: number, language: string): string =>
  // Creating a formatter is slow, and small numbers need none.
  value >= 0 && value < 1000 ? String(value) : new Intl.NumberFormat(localeOf(language)).format(value);
