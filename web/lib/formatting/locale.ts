import { dateFormat } from "../../../shared/date-format.ts";

/** The locale of dates and times in a language of the app: English is British, like its prices. */
export const localeOf = (language: string) => (language.startsWith("en") ? "en-GB" : language);

/** Formats the day of a moment in the reader's time zone. */
export const dateText = (moment: string, locale: string) =>
  dateFormat(locale, { dateStyle: "long" }).format(new Date(moment));
