import { type Caller, queryAsCaller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { columnRoles } from "../column-roles.ts";
import { quote, readable, type WatchedTable } from "./catalogue.ts";
import type { Change } from "./feed.ts";
import { keyFields } from "./matches.ts";

/** Claims that change with each token of the same person. */
const OF_THE_TOKEN = new Set(["iat", "exp", "nbf", "jti", "iss", "session_id", "amr"]);

/** Subscribers with equal claims: policies are evaluated once for all of them. */
export interface Audience {
  /** Identifies the audience. */
  key: string;
  caller: Caller;
}

/** Returns the caller without claims that change with each token. A policy that reads such a claim denies access. */
export function audienceOf(caller: Caller): Audience {
  const claims = Object.entries(caller).filter(([name]) => !OF_THE_TOKEN.has(name));
  const sorted = Object.fromEntries(claims.sort(([a], [b]) => (a < b ? -1 : 1)));
  return { key: JSON.stringify(sorted), caller: { ...sorted, role: caller.role } };
}

/** Resolves to the changes that the caller may see, by id, each with the current row; null for a deleted row. */
export async function visibleTo(
  db: Database,
  caller: Caller,
  table: WatchedTable,
  changes: Change[],
): Promise<Map<number, Record<string, unknown> | null>> {
  const columns = readable(table, columnRoles(caller));
  const rowByIndex = new Map<number, Record<string, unknown> | null>();
  if (columns.length === 0) return rowByIndex;

  const living = changes.filter(({ type }) => type !== "DELETE");
  if (living.length > 0) {
    const keys = keyFields(table);
    const record = columns.map(({ name }) => `row.${quote(name)}`).join(", ");
    const { body } = await queryAsCaller(
      db,
      caller,
      `select coalesce(json_agg(json_build_object('change', c.change, 'record', (select to_json(r) from (select ${record}) as r))), '[]')::text,
         count(*), null::bigint
       from jsonb_to_recordset($1[1]::jsonb) as c(change bigint, ${keys.definition}) join ${table.sql} as row on ${keys.join}`,
      [JSON.stringify(living.map((change) => ({ change: change.id, ...keys.of(change) })))],
      { planOnce: true },
    );
    for (const row of JSON.parse(body) as { change: number; record: Record<string, unknown> }[]) {
      rowByIndex.set(row.change, row.record);
    }
  }

  const deletions = changes.filter(({ type }) => type === "DELETE");
  if (deletions.length > 0) {
    // The row is deleted, so its policies are checked on its last state, as the caller and under the table's own name.
    const { body } = await queryAsCaller(
      db,
      caller,
      `select coalesce(json_agg(c.change), '[]')::text, count(*), null::bigint
       from jsonb_to_recordset($1[1]::jsonb) as c(change bigint, old jsonb)
       where exists (select from jsonb_populate_record(null::${table.sql}, c.old) as ${quote(table.name)}
         where ${table.conditions[caller.role]})`,
      [JSON.stringify(deletions.map(({ id, old }) => ({ change: id, old })))],
      { planOnce: true },
    );
    for (const id of JSON.parse(body) as number[]) rowByIndex.set(id, null);
  }
  return rowByIndex;
}
