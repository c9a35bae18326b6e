import { z } from "zod";
import type { Role } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { type Catalogue, readable, type WatchedTable } from "./catalogue.ts";
import { FILTER_CHARACTERS } from "./limits.ts";
import { comparisonSql } from "./matches.ts";
import { type Condition, type Filter, FilterError, parseFilter } from "./parse-filter.ts";

/** One subscription of a channel. */
export interface Binding {
  /** Identifies the binding in every message to the client. */
  id: number;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  schema: string;
  /** The table's name; if absent, every table of the schema with realtime. */
  table?: string;
  filter: Filter;
}

export const Wish = z.looseObject({
  event: z.enum(["*", "INSERT", "UPDATE", "DELETE"]),
  schema: z.string().max(63),
  table: z.string().max(63).nullish(),
  filter: z.string().max(FILTER_CHARACTERS).nullish(),
  // How long before the join, in ms, the client may have read the rows. It asks which of its bindings changed since then.
  within_ms: z.number().min(0).nullish(),
  // Refused by the join, because a client that chooses columns expects only those.
  select: z.unknown().optional(),
});
export type Wish = z.infer<typeof Wish>;

let lastId = 0;

/** Returns an id that is unique in this process. */
export const nextBindingId = (): number => ++lastId;

/** Resolves to a binding, checked against the catalogue for a caller's roles. Rejects with {@link FilterError} for the client. */
export async function bind(
  { catalogue, checkFilter }: { catalogue: Catalogue; checkFilter: FilterCheck },
  roles: Role[],
  request: Wish,
  id: number,
): Promise<Binding> {
  const binding: Binding = { id, event: request.event, schema: request.schema, filter: { key: "", conditions: [] } };
  if (!request.table || request.table === "*") {
    if (request.filter) throw new FilterError("A filter needs a table");
    return binding;
  }
  const table = await catalogue.table(request.schema, request.table);
  // The error is the same for a missing table and an unreadable one.
  if (!table || readable(table, roles).length === 0) {
    throw new FilterError(
      `The table "${request.schema}.${request.table}" does not exist, does not tell of changes, or may not be read`,
    );
  }
  const conditions = request.filter ? parseFilter(request.filter) : [];
  for (const { column } of conditions) {
    if (!isReadable(table, roles, column)) {
      throw new FilterError(`There is no column "${column}" in "${request.schema}.${request.table}"`);
    }
  }
  await checkFilter(table, conditions);
  return { ...binding, table: request.table, filter: { key: request.filter ?? "", conditions } };
}

const isReadable = (table: WatchedTable, roles: Role[], column: string) =>
  readable(table, roles).some(({ name }) => name === column);

/** Whether a caller may read every column that the binding's filter compares. */
export const mayFilter = ({ filter }: Binding, table: WatchedTable, roles: Role[]): boolean =>
  filter.conditions.every(({ column }) => isReadable(table, roles, column));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the values certainly fit the column, so that no query is necessary. */
function fits(table: WatchedTable, { column, values }: Condition): boolean {
  const type = table.columns.find(({ name }) => name === column)?.sqlType;
  return type === "text" || (type === "uuid" && values.every((value) => UUID.test(value)));
}

/** Resolves if the values of all conditions fit their columns. Rejects with {@link FilterError}. */
export type FilterCheck = (table: WatchedTable, conditions: Condition[]) => Promise<void>;

/**
 * Returns a check by the database of whether values fit a column and whether its type supports the comparison. Checks
 * one filter at a time in this process, so that clients with many filters use one database connection at most.
 */
export function openFilterCheck(db: Database): FilterCheck {
  let turn: Promise<void> = Promise.resolve();
  const check = async (table: WatchedTable, uncertain: Condition[]) => {
    const comparisons = uncertain.map(
      (condition, index) =>
        `(select count(${comparisonSql(table, condition)}) from unnest($${index + 1}::text[]) as wanted(value))`,
    );
    await db
      .read(
        `select ${comparisons.join(", ")} from jsonb_populate_record(null::${table.sql}, '{}') as row`,
        uncertain.map(({ values }) => values),
      )
      .catch((error: Error) => {
        const columns = uncertain.map(({ column }) => `"${column}"`).join(", ");
        throw new FilterError(`The filter on ${columns} cannot be used: ${error.message}`);
      });
  };
  return (table, conditions) => {
    const uncertain = conditions.filter((condition) => !fits(table, condition));
    if (uncertain.length === 0) return Promise.resolve();
    const done = turn.then(() => check(table, uncertain));
    turn = done.catch(() => {});
    return done;
  };
}
