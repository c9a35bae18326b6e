/** A list's sort order: columns that together are unique, so that a page can begin after any row. */
export type PageOrder<Row> = readonly (readonly [column: keyof Row & string, direction: "up" | "down"])[];

interface Pageable {
  order(column: string, options: { ascending: boolean }): this;
  gte(column: string, value: unknown): this;
  lte(column: string, value: unknown): this;
  or(filters: string): this;
  limit(count: number): this;
}

/**
 * Limits a query to one page by keyset pagination: the page begins after a row, not at an offset. New and deleted rows
 * therefore shift nothing, and the index finds the hundredth page as fast as the first.
 */
export function inPages<Asked extends Pageable, Row>(
  readPage: Asked,
  order: PageOrder<Row>,
  { after, size }: { after: Row | undefined; size: number },
): Asked {
  let page = readPage;
  const [leading] = order;
  if (after && leading) {
    const [column, direction] = leading;
    // A separate condition, because an index cannot start from an "or".
    page = direction === "up" ? page.gte(column, after[column]) : page.lte(column, after[column]);
    page = page.or(laterThan(after, order));
  }
  for (const [column, direction] of order) page = page.order(column, { ascending: direction === "up" });
  return page.limit(size);
}

/** The filter for the rows after a row, in PostgREST's syntax. */
export function laterThan<Row>(after: Row, order: PageOrder<Row>): string {
  const is = (place: number, operator: string) => {
    const [column = ""] = order[place] ?? [];
    const value = String(after[column as keyof Row]).replace(/["\\]/g, "\\$&");
    return `${column}.${operator}."${value}"`;
  };
  return order
    .map(([, direction], place) => {
      const equal = order.slice(0, place).map((_, before) => is(before, "eq"));
      const all = [...equal, is(place, direction === "up" ? "gt" : "lt")];
      return all.length === 1 ? all[0] : `and(${all.join(",")})`;
    })
    .join(",");
}

/** The row after which the next page begins; undefined after the last page. */
export const lastOf = <Row>(page: readonly Row[], size: number): Row | undefined =>
  page.length === size ? page.at(-1) : undefined;

/** The server's maximum number of rows in a response. */
const ROWS = 1000;

/** Reads all rows of a list. `readPage` reads at most `size` rows after a row, or the first ones. */
export async function allRows<Row>(
  readPage: (page: { after: Row | undefined; size: number }) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await readPage({ after: rows.at(-1), size: ROWS });
    rows.push(...page);
    if (page.length < ROWS) return rows;
  }
}

/** The stale time of a list in ms. It grows with the number of pages, because all are reloaded in sequence. */
export const freshByPages = (query: { state: { data: { pages: readonly unknown[] } | undefined } }): number =>
  30_000 * Math.max(1, query.state.data?.pages.length ?? 1);

/** An `ilike` pattern that finds a text anywhere in a column; wildcards in the text are escaped. */
export const anywhere = (text: string): string => `%${text.trim().replace(/[\\%_]/g, "\\$&")}%`;
