/** The locale in which dates and times are written for a language of the app: English is British, as its prices are. */
export const localeOf = (language: string) => (language.startsWith("en") ? "en-GB" : language);

/** The day of a moment, written out, by the reader's own clock. */
export const dateText = (moment: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(moment));
