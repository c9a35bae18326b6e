import { dateFormat } from "../../../shared/date-format.ts";

/** The locale in which dates and times are written for a language of the app: English is British, as its prices are. */
export const localeOf = (language: string) => (language.startsWith("en") ? "en-GB" : language);

/** The day of a moment, written out, by the reader's own clock. */
export const dateText = (moment: string, locale: string) =>
  dateFormat(locale, { dateStyle: "long" }).format(new Date(moment));

/** A whole number as it is written in a language of the app. */
export const numberText = (value: number, language: string): string =>
  // Most are small and written with digits alone; to make a format takes longer than to show a page of them.
  value >= 0 && value < 1000 ? String(value) : new Intl.NumberFormat(localeOf(language)).format(value);
