import { searchKey } from "./search-key.ts";

/** The dates that a search names. Days are `YYYY-MM-DD`. */
export interface SearchDates {
  since?: string;
  until?: string;
  /** Whether a date must lie within the period, as for "before 1950". Otherwise it is enough that both have a day in common. */
  within?: true;
  /** A day or a month of any year: `06-02` or `06`. */
  monthDay?: string;
}

/** A search as typed, without its date. */
export interface DatedSearch {
  dates: SearchDates | undefined;
  rest: string;
}

const MONTHS: Record<string, number> = {};
for (const [index, names] of [
  "january jan gennaio genn gen",
  "february feb febbraio febb",
  "march mar marzo",
  "april apr aprile",
  "may maggio magg mag",
  "june jun giugno giu",
  "july jul luglio lug",
  "august aug agosto ago",
  "september sept sep settembre sett set",
  "october oct ottobre ott",
  "november nov novembre",
  "december dec dicembre dic",
].entries())
  for (const name of names.split(" ")) MONTHS[name] = index + 1;

/** The first months of the seasons, as in `shared/approximate-date.ts`. */
const SEASONS: Record<string, number> = {
  spring: 3,
  primavera: 3,
  summer: 6,
  estate: 6,
  autumn: 9,
  fall: 9,
  autunno: 9,
  winter: 12,
  inverno: 12,
};

const ITALIAN_DECADES: Record<string, number> = {
  venti: 1920,
  trenta: 1930,
  quaranta: 1940,
  cinquanta: 1950,
  sessanta: 1960,
  settanta: 1970,
  ottanta: 1980,
  novanta: 1990,
};
const ENGLISH_DECADES: Record<string, number> = {
  twenties: 1920,
  thirties: 1930,
  forties: 1940,
  fifties: 1950,
  sixties: 1960,
  seventies: 1970,
  eighties: 1980,
  nineties: 1990,
};

const either = (namesOf: object) => Object.keys(namesOf).join("|");
const MONTH = `(${either(MONTHS)})`;
const SEASON = `(${either(SEASONS)})`;
const YEAR = "(1[0-9]{3}|20[0-9]{2})";
const DAY = "([0-9]{1,2})(?:st|nd|rd|th|o)?";
const OF = "(?:(?:of|del|dell|di|in|nel|the|de) )*";

interface Period {
  first: string;
  last: string;
}

type Read = (groups: string[]) => Period | undefined;

const period = (year: number, month: number, months: number): Period => {
  const end = new Date(Date.UTC(year, month - 1 + months, 0));
  return { first: iso(year, month, 1), last: end.toISOString().slice(0, 10) };
};
const day = (year: number, month: number, date: number): Period | undefined =>
  isDay(year, month, date) ? { first: iso(year, month, date), last: iso(year, month, date) } : undefined;

/** Ways to write a period, the longest first. */
const PERIODS: [string, Read][] = [
  [`(${YEAR})[ -]([0-9]{1,2})[ -]([0-9]{1,2})`, ([, , y, m, d]) => day(Number(y), Number(m), Number(d))],
  [`([0-9]{1,2}) ([0-9]{1,2}) ${YEAR}`, ([, d, m, y]) => day(Number(y), Number(m), Number(d))],
  [`(?:il |the )?${DAY} ${OF}${MONTH} ${OF}${YEAR}`, ([, d, m, y]) => day(Number(y), month(m), Number(d))],
  [`${MONTH} (?:the )?${DAY} ${YEAR}`, ([, m, d, y]) => day(Number(y), month(m), Number(d))],
  [`${MONTH} ${OF}${YEAR}`, ([, m, y]) => period(Number(y), month(m), 1)],
  [`${SEASON} ${OF}${YEAR}`, ([, s, y]) => period(Number(y), SEASONS[s ?? ""] ?? 1, 3)],
  ["(?:the |early |late |mid )*(1[0-9]{2}|20[0-9])0 ?s", ([, tens]) => period(Number(tens) * 10, 1, 120)],
  ["the ([2-9])0 ?s", ([, tens]) => period(1900 + Number(tens) * 10, 1, 120)],
  [`(?:the )?(${either(ENGLISH_DECADES)})`, ([, word]) => period(ENGLISH_DECADES[word ?? ""] ?? 0, 1, 120)],
  [
    `(?:gli |negli |degli )?anni (${either(ITALIAN_DECADES)})`,
    ([, word]) => period(ITALIAN_DECADES[word ?? ""] ?? 0, 1, 120),
  ],
  ["(?:gli |negli |degli )?anni (1[0-9]{2}|20[0-9])0", ([, tens]) => period(Number(tens) * 10, 1, 120)],
  ["(?:gli |negli |degli )?anni ([2-9])0", ([, tens]) => period(1900 + Number(tens) * 10, 1, 120)],
  [`(?:(?:in|nel|del|of|anno|year) )?${YEAR}`, ([, y]) => period(Number(y), 1, 12)],
];
const ANY = PERIODS.map(([form]) => form.replaceAll(/\((?!\?)/g, "(?:")).join("|");

const BETWEEN = new RegExp(
  `(?<![^ ])(?:between|from|tra|fra|dal|da|dall)(?: (?:il|lo|la|l))? (${ANY}) (?:and|to|until|e|al|a|all)(?: (?:il|lo|la|l))? (${ANY})(?![^ ])`,
);
const YEARS = new RegExp(`(?<![^ ])${YEAR} ${YEAR}(?![^ ])`);
const BEFORE = new RegExp(
  `(?<![^ ])(?:before|until|prima|fino)(?: (?:the|del|dell|della|di|degli|al|il|a|agli))* (${ANY})(?![^ ])`,
);
const AFTER = new RegExp(`(?<![^ ])(?:after|since|dopo|dal|dall|dagli)(?: (?:the|il|l|la|gli))* (${ANY})(?![^ ])`);
const ALONE = PERIODS.map(([form, read]) => [new RegExp(`(?<![^ ])${form}(?![^ ])`), read] as const);
const MONTH_DAY = new RegExp(`(?<![^ ])(?:il |the |on )*(?:${DAY} ${OF}${MONTH}|${MONTH} (?:the )?${DAY})(?![^ ])`);
/** Not "may", "mar" and "sett", which are words. */
const WHOLE_MONTH = new RegExp(
  `(?<![^ ])(?:in |a |of |di )?(${Object.keys(MONTHS)
    .filter((name) => name.length > 4 || /^(june|july)$/.test(name))
    .join("|")})(?![^ ])`,
);

/** Finds the date in a search in English or Italian: a day, month, season, year or decade, a period, or a day of any year. */
export function datedSearch(text: string): DatedSearch {
  // An apostrophe separates words here: "dell'estate 1974", "l'8 marzo". Not before an s: "the 1950's".
  const key = searchKey(text.slice(0, 500).replaceAll(/['’‘](?!s\b)/g, " "));
  const without = (match: RegExpExecArray) =>
    `${key.slice(0, match.index)} ${key.slice(match.index + match[0].length)}`.replaceAll(/ +/g, " ").trim();

  const between = BETWEEN.exec(key) ?? YEARS.exec(key);
  const [from, to] = [between && periodOf(between[1] ?? ""), between && periodOf(between[2] ?? "")];
  if (between && from && to && from.first <= to.last)
    return { dates: { since: from.first, until: to.last }, rest: without(between) };
  const before = BEFORE.exec(key);
  const end = before && periodOf(before[1] ?? "");
  if (before && end) return { dates: { until: dayBefore(end.first), within: true }, rest: without(before) };
  const after = AFTER.exec(key);
  const start = after && periodOf(after[1] ?? "");
  if (after && start) {
    // "Since 1950" has the year itself; "after 1950" and "dopo il 1950" do not.
    const since = /^(since|dal|dagli|dall)/.test(after[0]) ? start.first : dayAfter(start.last);
    return { dates: { since, within: true }, rest: without(after) };
  }
  for (const [form, read] of ALONE) {
    const match = form.exec(key);
    const range = match && read(match);
    if (range) return { dates: { since: range.first, until: range.last }, rest: without(match) };
  }
  const monthDay = MONTH_DAY.exec(key);
  if (monthDay) {
    const [, first, second, third, fourth] = monthDay;
    const [date, number] = [Number(first ?? fourth), month(second ?? third)];
    if (isDay(2000, number, date))
      return { dates: { monthDay: `${two(number)}-${two(date)}` }, rest: without(monthDay) };
  }
  const whole = WHOLE_MONTH.exec(key);
  if (whole) return { dates: { monthDay: two(month(whole[1])) }, rest: without(whole) };
  return { dates: undefined, rest: text };
}

function periodOf(text: string): Period | undefined {
  for (const [form, read] of ALONE) {
    const match = form.exec(text);
    if (match?.[0] === text) return read(match);
  }
  return undefined;
}

const month = (name: string | undefined) => MONTHS[name ?? ""] ?? 0;
const two = (number: number) => String(number).padStart(2, "0");
const iso = (year: number, number: number, date: number) =>
  `${String(year).padStart(4, "0")}-${two(number)}-${two(date)}`;
const isDay = (year: number, number: number, date: number) =>
  number >= 1 && number <= 12 && date >= 1 && date <= new Date(Date.UTC(year, number, 0)).getUTCDate();
const addDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const dayBefore = (date: string) => addDays(date, -1);
const dayAfter = (date: string) => addDays(date, 1);
