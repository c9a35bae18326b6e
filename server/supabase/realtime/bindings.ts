import { z } from "zod";
import type { Role } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { type Catalogue, readable, type WatchedTable } from "./catalogue.ts";
import { conditionSql } from "./matches.ts";
import { BadFilter, type Condition, type Filter, parseFilter } from "./parse-filter.ts";

/** One thing a channel wants to hear of. */
export interface Binding {
  /** Names it in every message to the client. */
  id: number;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  schema: string;
  /** Absent: every table of the schema that tells of its changes. */
  table?: string;
  filter: Filter;
}

/** As the client asks for it. */
export const Wish = z.looseObject({
  event: z.enum(["*", "INSERT", "UPDATE", "DELETE"]),
  schema: z.string().max(63),
  table: z.string().max(63).nullish(),
  filter: z.string().max(8192).nullish(),
  // Answering with more columns than were asked for would be no favour.
  select: z.never({ error: "Choosing columns is not supported" }).optional(),
});
export type Wish = z.infer<typeof Wish>;

let lastId = 0;

/** A wish checked against the catalogue for a role; rejects with {@link BadFilter} in words for the client. */
export async function bind(db: Database, catalogue: Catalogue, role: Role, wish: Wish): Promise<Binding> {
  const binding: Binding = {
    id: ++lastId,
    event: wish.event,
    schema: wish.schema,
    filter: { key: "", conditions: [] },
  };
  if (!wish.table || wish.table === "*") {
    if (wish.filter) throw new BadFilter("A filter needs a table");
    return binding;
  }
  const table = await catalogue.table(wish.schema, wish.table);
  const columns = table ? readable(table, role) : [];
  // One answer for a table that is not there and one that may not be read.
  if (!table || columns.length === 0) {
    throw new BadFilter(
      `The table "${wish.schema}.${wish.table}" does not exist, does not tell of changes, or may not be read`,
    );
  }
  const conditions = wish.filter ? parseFilter(wish.filter) : [];
  for (const condition of conditions) {
    if (!columns.some(({ name }) => name === condition.column)) {
      throw new BadFilter(`There is no column "${condition.column}" in "${wish.schema}.${wish.table}"`);
    }
    await checkValues(db, table, condition);
  }
  return { ...binding, table: wish.table, filter: { key: wish.filter ?? "", conditions } };
}

/** Lets the database itself judge whether the values fit the column and its type can be compared so. */
async function checkValues(db: Database, table: WatchedTable, condition: Condition): Promise<void> {
  const values: string[] = [];
  const sql = conditionSql(table, condition, values);
  await db
    .query(`select ${sql} from jsonb_populate_record(null::${table.sql}, '{}') as row`, [values])
    .catch((error: Error) => {
      throw new BadFilter(`The filter on "${condition.column}" can not be used: ${error.message}`);
    });
}
