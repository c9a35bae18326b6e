const NAMED = 3;

interface Counted {
  /** So many beside those who are named. */
  others: (count: number) => string;
  /** So many, of whom none is named. */
  people: (count: number) => string;
}

/** Names as a sentence has them: the first three, and how many others. Who has none, or is not told of, is counted. */
export function namesText(names: readonly string[], locale: string, { others, people }: Counted): string {
  const told = names.filter((name) => name !== "");
  if (told.length === 0) return people(names.length);
  const list = new Intl.ListFormat(locale, { type: "conjunction" });
  if (told.length === names.length && told.length <= NAMED + 1) return list.format(told);
  const first = told.slice(0, NAMED);
  return list.format([...first, others(names.length - first.length)]);
}
