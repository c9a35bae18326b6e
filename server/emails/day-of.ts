import type { Language } from "./language.ts";

const PLACES: Record<Language, [locale: string, timeZone: string]> = {
  en: ["en-GB", "Europe/London"],
  it: ["it-IT", "Europe/Rome"],
};

/** The day of a moment (ISO 8601), as a letter says it where its language is spoken: `9 March 2026`. */
export function dayOf(moment: string, language: Language): string {
  const [locale, timeZone] = PLACES[language];
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }).format(new Date(moment));
}
