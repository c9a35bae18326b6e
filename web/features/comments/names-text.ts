const NAMED = 3;

/** Names as a sentence has them: the first three, and how many others. */
export function namesText(names: readonly string[], locale: string, others: (count: number) => string): string {
  const list = new Intl.ListFormat(locale, { type: "conjunction" });
  if (names.length <= NAMED + 1) return list.format(names);
  return list.format([...names.slice(0, NAMED), others(names.length - NAMED)]);
}
