const NAMED = 3;

interface Counted {
  /** The text for so many others in addition to the names. */
  others: (count: number) => string;
  /** The text for so many people without any name. */
  people: (count: number) => string;
}

/** The first three names and the number of others, including people without a visible name. */
export function namesText(names: readonly string[], locale: string, { others, people }: Counted): string {
  const told = names.filter((name) => name !== "");
  if (told.length === 0) return people(names.length);
  const list = new Intl.ListFormat(locale, { type: "conjunction" });
  if (told.length === names.length && told.length <= NAMED + 1) return list.format(told);
  const first = told.slice(0, NAMED);
  return list.format([...first, others(names.length - first.length)]);
}
