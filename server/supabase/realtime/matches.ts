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

/** A condition on `row`, compared by the column's own type; its values are added to `values`, which is bound as `$1`. */
export function conditionSql(table: WatchedTable, { column, operator, values: given }: Condition, values: string[]) {
  const type = table.columns.find(({ name }) => name === column)?.sqlType ?? "text";
  const bound = given.map((value) => `($1::text[])[${values.push(value)}]::${type}`);
  const left = `row.${quote(column)}`;
  return operator === "in" ? `${left} in (${bound.join(", ")})` : `${left} ${COMPARISONS[operator]} ${bound[0]}`;
}

/** The columns of a key as a record's fields `k0`, `k1` …, for SQL and for the JSON that goes with it. */
export const keyFields = (table: WatchedTable) => ({
  definition: table.key.map(({ sqlType }, i) => `k${i} ${sqlType}`).join(", "),
  join: table.key.map(({ name }, i) => `row.${quote(name)} = c.k${i}`).join(" and "),
  of: (change: Change) => Object.fromEntries(table.key.map(({ name }, i) => [`k${i}`, change.key[name]])),
});

/**
 * For each filter, by its key, the ids of the changes that match it. This looks at rows with the server's own rights: it only
 * narrows down whose row policies need asking, and nothing is told by it alone.
 */
export async function matches(
  db: Database,
  table: WatchedTable,
  filters: Filter[],
  changes: Change[],
): Promise<Map<string, Set<number>>> {
  const found = new Map(filters.map(({ key }) => [key, new Set<number>()]));
  const values: string[] = [];
  const hits = filters
    .map(({ conditions }) => conditions.map((part) => conditionSql(table, part, values)).join(" and "))
    .join(", ");
  const keys = keyFields(table);
  const gone = changes.filter(({ type }) => type === "DELETE");
  const living = changes.filter(({ type }) => type !== "DELETE");
  const ask = async (from: string, records: object[]) => {
    if (records.length === 0) return;
    const { rows } = await db.query<{ change: number; hits: (boolean | null)[] }>(
      `select c.change, to_json(array[${hits}]) as hits from ${from}`,
      [values, JSON.stringify(records)],
    );
    for (const row of rows) {
      filters.forEach(({ key }, i) => {
        if (row.hits[i]) found.get(key)?.add(row.change);
      });
    }
  };
  await ask(
    `jsonb_to_recordset($2::jsonb) as c(change bigint, ${keys.definition}) join ${table.sql} as row on ${keys.join}`,
    living.map((change) => ({ change: change.id, ...keys.of(change) })),
  );
  await ask(
    `jsonb_to_recordset($2::jsonb) as c(change bigint, old jsonb)
       cross join lateral jsonb_populate_record(null::${table.sql}, c.old) as row`,
    gone.map(({ id, old }) => ({ change: id, old })),
  );
  return found;
}
