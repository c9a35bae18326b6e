/** The locale in which dates and times are written for a language of the app: English is British, as its prices are. */
export const localeOf = (language: string) => (language.startsWith("en") ? "en-GB" : language);
