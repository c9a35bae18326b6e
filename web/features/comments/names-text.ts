const NAMED = 3;

interface Counted {
  /** Returns the text for `count` further people after the names. */
  others: (count: number) => string;
  /** Returns the text for `count` people if no name is visible. */
  people: (count: number) => string;
}

/** Returns the first three names and the number of others, including people without a visible name. */
export function namesText(names: readonly string[], locale: string, { others, people }: Counted): string {
  const present = names.filter((name) => name !== "");
  if (present.length === 0) return people(names.length);
  const list = new Intl.ListFormat(locale, { type: "conjunction" });
  if (present.length === names.length && present.length <= NAMED + 1) return list.format(present);
  const first = present.slice(0, NAMED);
  return list.format([...first, others(names.length - first.length)]);
}
