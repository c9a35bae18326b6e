/** The languages of emails and text messages. */
const LANGUAGES = ["en", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The account's language, otherwise the browser's first supported one, otherwise English. */
export function languageOf(chosen: unknown, acceptLanguage: string | undefined): Language {
  const codes = [typeof chosen === "string" ? chosen : "", ...byPreference(acceptLanguage ?? "")];
  for (const tag of codes) {
    const supported = LANGUAGES.find((language) => language === tag.toLowerCase().split(/[-_]/)[0]);
    if (supported) return supported;
  }
  return "en";
}

/** The tags of an Accept-Language header in order of preference. */
const byPreference = (header: string): string[] =>
  header
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { tag, weight: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);

const PLACES: Record<Language, [locale: string, timeZone: string]> = {
  en: ["en-GB", "Europe/London"],
  it: ["it-IT", "Europe/Rome"],
};

/** A date (from ISO 8601) as it is written in the language: `9 March 2026`; without a time zone, in the language's. */
export const dayOf = (moment: string, language: Language, timeZone?: string): string =>
  formatOf(language, { day: "numeric", month: "long", year: "numeric" }, timeZone).format(new Date(moment));

/** A moment (from ISO 8601) with the name of its time zone: `9 March 2026 at 09:05 CET`. */
export const momentOf = (moment: string, language: Language, timeZone?: string): string =>
  formatOf(
    language,
    { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
    timeZone,
  ).format(new Date(moment));

function formatOf(language: Language, options: Intl.DateTimeFormatOptions, timeZone?: string): Intl.DateTimeFormat {
  const [locale, usualZone] = PLACES[language];
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: timeZone ?? usualZone });
  } catch {
    // A browser may know zones that this server does not know.
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: usualZone });
  }
}

/** Letters, marks, apostrophes and hyphens; a full stop only after an initial or a title. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}'’-]*\.?(?: [\p{L}\p{M}][\p{L}\p{M}'’-]*\.?){0,5}$/u;

/**
 * Returns a name that is safe in an email's greeting; otherwise an empty string. Anyone can sign up with another
 * person's address, so a name must not carry a message to that person: links, numbers and sentences are refused.
 */
export function greetingName(fullName: unknown): string {
  if (typeof fullName !== "string") return "";
  const name = fullName.trim().replaceAll(/\s+/g, " ");
  return name.length <= 60 && NAME.test(name) ? name : "";
}
