import { ORDER_TERMS } from "../bounds.ts";
import { negativeLimit, notEmbedded, syntaxError, tooMuch } from "./errors.ts";
import { looksLikeTest, parseGroup, parseTest } from "./parse-filters.ts";
import { parsePath, parseSelect } from "./parse-select.ts";
import { type Condition, emptyQuery, type Field, type OrderTerm, type Query } from "./query.ts";
import { Reader } from "./reader.ts";

const MOST_CONDITIONS = 200;

export interface Parameters {
  query: Query;
  /** The columns that a body writes; if absent, the body's own keys. */
  columns?: string[];
  onConflict?: string[];
  /** Parameters that are arguments of the called function, not filters. */
  args: [name: string, value: string][];
}

export type Pair = [name: string, value: string];

/** Reads a URL's parameters. `isArgument` recognises arguments of the called function; it is absent for tables. */
export function parseQuery(pairs: Pair[], isArgument?: (name: string) => boolean): Parameters {
  const first = new Map(pairs.toReversed());
  const select = first.get("select");
  const query = emptyQuery(select === undefined ? undefined : parseSelect(select));
  const parameters: Parameters = { query, args: [] };
  for (const [name, value] of pairs) {
    // Of several, the first one applies; of several limits, the last one.
    if (name === "select" || (FIRST.test(name) && first.get(name) !== value)) {
      if (name.endsWith("order")) parseOrder(value);
      continue;
    }
    if (isArgument && !RESERVED.has(name) && (isArgument(name) || !(name.includes(".") || looksLikeTest(value)))) {
      parameters.args.push([name, value]);
    } else if (name === "columns") parameters.columns = parseNames(value);
    else if (name === "on_conflict") parameters.onConflict = parseNames(value);
    else apply(query, name, value);
  }
  if (count(query) > MOST_CONDITIONS) throw tooMuch("conditions", MOST_CONDITIONS);
  return parameters;
}

const RESERVED = new Set(["columns", "on_conflict", "order", "limit", "offset", "and", "or", "not.and", "not.or"]);

const FIRST = /^(columns|on_conflict|(.*\.)?order)$/;

/** Assigns one parameter to the query or, as `relation.name`, to an embedded one. */
function apply(root: Query, name: string, value: string) {
  const { path, field } = parseKey(name);
  const isGroup = field.path.length === 0 && (field.name === "and" || field.name === "or");
  // The negation is before the relations or after them.
  const negated = isGroup && path.includes("not");
  const query = (isGroup ? path.filter((one) => one !== "not") : path).reduce(embedded, root);
  if (field.path.length === 0) {
    switch (field.name) {
      case "order":
        query.order = parseOrder(value);
        return;
      case "limit":
        if (/^-\d{1,15}$/.test(value)) throw negativeLimit();
        query.limit = parseWhole(value);
        return;
      case "offset":
        query.offset = parseWhole(value);
        return;
      case "and":
      case "or":
        query.conditions.push(parseGroup(field.name, negated, value));
        return;
    }
  }
  query.conditions.push(parseTest(field, value));
}

function parseKey(name: string): { path: string[]; field: Field } {
  const reader = new Reader(name);
  const path: string[] = [];
  let last = reader.name("a column");
  while (reader.eat(".")) {
    path.push(last);
    last = reader.name("a column");
  }
  const field = { name: last, path: parsePath(reader) };
  reader.end();
  return { path, field };
}

/** Returns the first embedded query of that name, which can also be the name of its relation beside an alias. */
function embedded(query: Query, name: string): Query {
  for (const item of query.items) {
    if (item.kind === "embed" && (item.alias === name || item.relation === name)) return item.query;
  }
  throw notEmbedded(name);
}

function parseNames(text: string): string[] {
  const reader = new Reader(text);
  const names = reader.list(() => reader.name("a column"));
  reader.end();
  return names;
}

function parseWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw syntaxError(text, 0, "a whole number");
  return Number(text);
}

const count = (query: Query): number =>
  query.conditions.reduce((sum, condition) => sum + size(condition), 0) +
  query.items.reduce((sum, item) => sum + (item.kind === "embed" ? count(item.query) : 0), 0);

const size = (condition: Condition): number =>
  condition.kind === "test" ? 1 : condition.parts.reduce((sum, part) => sum + size(part), 0);

/** Reads `order`: `name.desc.nullslast,data->>city,relation(name)`. */
export function parseOrder(text: string): OrderTerm[] {
  const reader = new Reader(text);
  const terms = reader.list((): OrderTerm => {
    let field: Field = { name: reader.name("a column"), path: parsePath(reader) };
    let relation: string | undefined;
    if (field.path.length === 0 && reader.eat("(")) {
      relation = field.name;
      field = { name: reader.name("a column"), path: parsePath(reader) };
      reader.expect(")");
    }
    const term: OrderTerm = { relation, field, descending: false };
    if (reader.eat(".desc")) term.descending = true;
    else reader.eat(".asc");
    if (reader.eat(".nullsfirst")) term.nulls = "first";
    else if (reader.eat(".nullslast")) term.nulls = "last";
    return term;
  });
  reader.end();
  if (terms.length > ORDER_TERMS) throw tooMuch("terms to order by", ORDER_TERMS);
  return terms;
}
