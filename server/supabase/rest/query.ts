/** A request's parsed parameters, before names are resolved. */

/** A column or a path within its JSON: `data->address->>city`. */
export interface Field {
  name: string;
  path: { key: string; index: boolean; asText: boolean }[];
}

export interface ColumnItem {
  kind: "column";
  field: Field;
  alias?: string;
  cast?: string;
}

export interface CountItem {
  kind: "count";
  alias?: string;
}

/** A related table read beside each row: `alias:relation!hint!inner(items)`, or spread into the row by `...`. */
export interface EmbedItem {
  kind: "embed";
  relation: string;
  alias?: string;
  hint?: string;
  inner: boolean;
  spread: boolean;
  query: Query;
}

export type SelectItem = { kind: "star" } | ColumnItem | CountItem | EmbedItem;

export const embedName = (item: EmbedItem) => item.alias ?? item.relation;

export type Operator = keyof typeof OPERATORS;

/** The SQL operator for each operator; for text searches, the SQL function. */
export const OPERATORS = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
  match: "~",
  imatch: "~*",
  in: "= any",
  is: "is",
  isdistinct: "is distinct from",
  cs: "@>",
  cd: "<@",
  ov: "&&",
  sl: "<<",
  sr: ">>",
  nxl: "&>",
  nxr: "&<",
  adj: "-|-",
  fts: "to_tsquery",
  plfts: "plainto_tsquery",
  phfts: "phraseto_tsquery",
  wfts: "websearch_to_tsquery",
} as const;

export interface Test {
  kind: "test";
  field: Field;
  negated: boolean;
  operator: Operator;
  quantifier?: "any" | "all";
  /** The text search configuration. */
  config?: string;
  /** The value as sent. For `in`, the list's members are in `values`. */
  value: string;
  values?: string[];
}

export interface Group {
  kind: "and" | "or";
  negated: boolean;
  parts: Condition[];
}

export type Condition = Test | Group;

export interface OrderTerm {
  /** The embedded to-one relation that the field belongs to. */
  relation?: string;
  field: Field;
  descending: boolean;
  nulls?: "first" | "last";
}

export interface Query {
  items: SelectItem[];
  conditions: Condition[];
  order: OrderTerm[];
  limit?: number;
  offset: number;
}

export const emptyQuery = (items: SelectItem[] = [{ kind: "star" }]): Query => ({
  items,
  conditions: [],
  order: [],
  offset: 0,
});
