import type { Database } from "../../database/database.ts";
import { quote, type WatchedTable } from "./catalogue.ts";
import type { Change } from "./feed.ts";
import type { Condition, Filter, Operator } from "./parse-filter.ts";

const COMPARISONS: Record<Exclude<Operator, "in">, string> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};

const typeOf = (table: WatchedTable, column: string) =>
  table.columns.find(({ name }) => name === column)?.sqlType ?? "text";

/** Returns SQL that compares `row` with `wanted.value`, by the column's own type. */
export const comparisonSql = (table: WatchedTable, { column, operator }: Pick<Condition, "column" | "operator">) =>
  `row.${quote(column)} ${operator === "in" ? "=" : COMPARISONS[operator]} wanted.value::${typeOf(table, column)}`;

/** Returns the columns of a key as the fields `k0`, `k1` … of a record, for SQL and for its JSON parameter. */
export const keyFields = (table: WatchedTable) => ({
  definition: table.key.map(({ sqlType }, i) => `k${i} ${sqlType}`).join(", "),
  join: table.key.map(({ name }, i) => `row.${quote(name)} = c.k${i}`).join(" and "),
  of: (change: Change) => Object.fromEntries(table.key.map(({ name }, i) => [`k${i}`, change.key[name]])),
});

/**
 * Resolves to the ids of the matching changes for each filter, by the filter's key. Reads rows with the server's own
 * rights: the result only narrows down for whom row policies are checked, and is sent to nobody. Conditions are joined
 * as rows, so a thousand filters on one column are one statement of the same length.
 */
export async function matches(
  db: Database,
  table: WatchedTable,
  filters: Filter[],
  changes: Change[],
): Promise<Map<string, Set<number>>> {
  const conditions = new Map<string, Condition>();
  for (const filter of filters) for (const condition of filter.conditions) conditions.set(keyOf(condition), condition);
  const index = new Map([...conditions.keys()].map((key, position) => [key, position]));
  /** The indexes of the conditions that each change meets. */
  const met = new Map(changes.map(({ id }) => [id, new Set<number>()]));

  const keys = keyFields(table);
  const deletions = changes.filter(({ type }) => type === "DELETE");
  const living = changes.filter(({ type }) => type !== "DELETE");
  const groups = groupByComparison([...conditions.values()]);
  const ask = async (from: string, records: object[]) => {
    if (records.length === 0) return;
    const bound: unknown[] = [JSON.stringify(records)];
    const joined = groups.map((group) => {
      const rows = group.conditions.flatMap((condition) =>
        condition.values.map((value): [number, string] => [index.get(keyOf(condition)) ?? -1, value]),
      );
      const indexes = bound.push(rows.map(([position]) => position));
      const values = bound.push(rows.map(([, value]) => value));
      return `select c.change, wanted.index from ${from}
        join unnest($${indexes}::int[], $${values}::text[]) as wanted(index, value) on ${comparisonSql(table, group)}`;
    });
    const { rows } = await db.read<{ change: number; met: number[] }>(
      `select change, json_agg(index) as met from (${joined.join(" union all ")}) as hits group by change`,
      bound,
    );
    for (const row of rows) met.set(row.change, new Set(row.met));
  };
  await ask(
    `jsonb_to_recordset($1::jsonb) as c(change bigint, ${keys.definition}) join ${table.sql} as row on ${keys.join}`,
    living.map((change) => ({ change: change.id, ...keys.of(change) })),
  );
  await ask(
    `jsonb_to_recordset($1::jsonb) as c(change bigint, old jsonb)
       cross join lateral jsonb_populate_record(null::${table.sql}, c.old) as row`,
    deletions.map(({ id, old }) => ({ change: id, old })),
  );
  return new Map(
    filters.map((filter) => {
      const indexes = filter.conditions.map((condition) => index.get(keyOf(condition)) ?? -1);
      const ids = changes.map(({ id }) => id).filter((id) => indexes.every((position) => met.get(id)?.has(position)));
      return [filter.key, new Set(ids)];
    }),
  );
}

const keyOf = (condition: Condition) => JSON.stringify([condition.column, condition.operator, condition.values]);

interface ComparisonGroup extends Pick<Condition, "column" | "operator"> {
  conditions: Condition[];
}

function groupByComparison(conditions: Condition[]): ComparisonGroup[] {
  const groups = new Map<string, ComparisonGroup>();
  for (const condition of conditions) {
    const { column, operator } = condition;
    const key = `${operator} ${column}`;
    const group = groups.get(key) ?? { column, operator, conditions: [] };
    group.conditions.push(condition);
    groups.set(key, group);
  }
  return [...groups.values()];
}
