/** The languages in which people are written to. */
const LANGUAGES = ["en", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language a person chose for their account, else the first of theirs that their browser names, else English. */
export function languageOf(chosen: unknown, acceptLanguage: string | undefined): Language {
  const wanted = [typeof chosen === "string" ? chosen : "", ...byPreference(acceptLanguage ?? "")];
  for (const tag of wanted) {
    const known = LANGUAGES.find((language) => language === tag.toLowerCase().split(/[-_]/)[0]);
    if (known) return known;
  }
  return "en";
}

/** The tags of an Accept-Language header, most wanted first. */
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
