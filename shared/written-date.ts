import { type ApproximateDate, type DateParts, parseDate, type Season } from "./approximate-date.ts";

export interface WrittenOptions {
  /** Abbreviates the month. */
  short?: boolean;
  /** Adds the time of day, if known. */
  time?: boolean;
  /** For use in a sentence, e.g. "born in the 1930s". In Italian it has no effect. */
  afterVerb?: boolean;
}

type Language = "en" | "it";

const namesOf = (names: string) => names.split(" ");

/** A table, because the first `Intl.DateTimeFormat` of a page takes 25 ms, or a tenth of a second on a phone. */
const MONTH_NAMES: Record<Language, Record<"long" | "short", string[]>> = {
  en: {
    long: namesOf("January February March April May June July August September October November December"),
    short: namesOf("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
  },
  it: {
    long: namesOf("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    short: namesOf("gen feb mar apr mag giu lug ago set ott nov dic"),
  },
};

const SEASON_NAMES: Record<Language, Record<Season, string>> = {
  en: { spring: "spring", summer: "summer", autumn: "autumn", winter: "winter" },
  it: { spring: "primavera", summer: "estate", autumn: "autunno", winter: "inverno" },
};

/**
 * Formats a date with its precision: "14 July 1962", "July 1962", "Summer 1962", "1962", "the 1960s", "about 1962"; in
 * Italian "14 luglio 1962", "luglio 1962", "estate 1962", "1962", "anni ’60", "intorno al 1962". Returns invalid dates
 * unchanged. Applies no time zone.
 */
export function writtenDate(date: ApproximateDate, language: string, options: WrittenOptions = {}): string {
  const parts = parseDate(date);
  if (!parts) return date;
  return language.startsWith("it") ? italian(parts, options) : english(parts, options);
}

/** Formats a date like {@link writtenDate}, with a capital first letter for headings. */
export function dateHeading(date: ApproximateDate, language: string, options: WrittenOptions = {}): string {
  const text = writtenDate(date, language, options);
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

function english(parts: DateParts, options: WrittenOptions): string {
  const { precision, year, season, circa } = parts;
  const running = circa || options.afterVerb;
  const plain =
    precision === "decade"
      ? `the ${year}s`
      : season
        ? `${running ? season : capitalised(SEASON_NAMES.en[season])} ${year}`
        : calendar(parts, "en", options);
  if (circa) return `about ${plain}`;
  return options.afterVerb && (season || precision === "decade") ? `in ${plain}` : plain;
}

function italian(parts: DateParts, options: WrittenOptions): string {
  const { precision, year, season, circa, day } = parts;
  if (precision === "decade") {
    // Only the decades of the last century are written with two digits.
    const decade = year >= 1910 && year < 2000 ? `’${String(year).slice(2)}` : String(year);
    return circa ? `intorno agli anni ${decade}` : `anni ${decade}`;
  }
  const plain = season ? `${SEASON_NAMES.it[season]} ${year}` : calendar(parts, "it", options);
  if (!circa) return plain;
  if (season) return `intorno ${{ spring: "alla ", summer: "all’", autumn: "all’", winter: "all’" }[season]}${plain}`;
  if (precision === "month") return `intorno a ${plain}`;
  return day === 8 || day === 11 ? `intorno all’${plain}` : `intorno al ${plain}`;
}

function calendar(
  { precision, year, month = 1, day = 1, time }: DateParts,
  language: Language,
  options: WrittenOptions,
) {
  if (precision === "year") return String(year);
  const name = MONTH_NAMES[language][options.short ? "short" : "long"][month - 1];
  const text = precision === "month" ? `${name} ${year}` : `${day} ${name} ${year}`;
  return options.time && time ? `${text}, ${time.slice(0, "HH:MM".length)}` : text;
}

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
