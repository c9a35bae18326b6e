import type { Catalogue, Column, Table } from "./catalogue.ts";
import { REFUSE_OTHER_KEY, RestError } from "./errors.ts";
import { conditionSql } from "./filter-sql.ts";
import { answeredSql, bodySql, onlyOne } from "./format-sql.ts";
import type { Format, Preferences } from "./headers.ts";
import { type Cleaners, cleanText, columnsOf, type Payload, sharedKeys } from "./payload.ts";
import { emptyQuery, type Query } from "./query.ts";
import { checkColumn, checkTable } from "./readable.ts";
import { findRelationship } from "./relationships.ts";
import { Rows } from "./select-sql.ts";
import { arrayLiteral, inPublic, type Making, quote, type Statement } from "./sql.ts";

/** The setting that counts the rows that an upsert updates, within its transaction. */
const UPDATED = "rest.updated";
const COUNT_UPDATED =
  `set_config('${UPDATED}', (coalesce(nullif(current_setting('${UPDATED}', true), ''), '0')::bigint + 1)::text, true)` +
  " is not null";

export interface WriteWanted {
  format: Format;
  preferences: Preferences;
  /** Whether exactly one row must be written. */
  isPut?: boolean | undefined;
}

export interface Insert {
  payload: Payload;
  /** The columns to write; if absent, the rows' own keys. */
  columns?: string[];
  onConflict?: string[];
  cleaners: Cleaners;
  /** Whether the query's conditions name the one row that may be written. */
  isPut?: boolean;
}

/** Returns the statement that inserts rows or, with a resolution, upserts them. The body is one parameter. */
export function insertSql(making: Making, table: Table, query: Query, insert: Insert, options: WriteWanted): Statement {
  const columns = columnsOf(table, insert.columns ?? sharedKeys(insert.payload));
  const text = cleanText(insert.payload, columns, insert.cleaners);
  const rowsParameter = making.values.bind(insert.payload.isArray ? text : `[${text}]`);
  const target = making.alias("w");
  const matchSql = insert.isPut ? conditionsSql(making, table, query, "given") : undefined;
  const answerOptions = { ...options, isPut: insert.isPut };
  return answer(making, table, { ...query, conditions: [] }, answerOptions, target, (returning) =>
    [
      `insert into ${inPublic(table.name)} as ${target}`,
      columns.length > 0 ? ` (${columns.map(({ name }) => quote(name)).join(", ")})` : "",
      ` select ${columns.map(({ name }) => `given.${quote(name)}`).join(", ")}`,
      ` from ${givenRows(making, columns, rowsParameter, options.preferences.missingDefault)}`,
      matchSql === undefined ? "" : ` where ${matchSql}`,
      onConflict(making, table, columns, insert.onConflict, options.preferences.resolution),
      ` returning ${returning}`,
    ].join(""),
  );
}

/** Returns the statement that sets the matching rows to the body's values. */
export function updateSql(
  making: Making,
  table: Table,
  query: Query,
  change: { payload: Payload; columns?: string[]; cleaners: Cleaners },
  options: WriteWanted,
): Statement {
  const { payload } = change;
  if (payload.rows.length !== 1) throw new RestError(400, "PGRST102", "An update takes one object");
  const columns = columnsOf(table, change.columns ?? sharedKeys(payload));
  const text = cleanText(payload, columns, change.cleaners);
  const rowsParameter = making.values.bind(payload.isArray ? text : `[${text}]`);
  const target = making.alias("w");
  const where = matching(making, table, query, target, "UPDATE");
  const source = `${inPublic(table.name)} as ${target}`;
  return answer(making, table, query, options, target, (returning) => {
    // An empty change must not touch the matching rows, because their triggers would run. Its conditions must still be right.
    if (columns.length === 0) return `select ${returning} from ${source} where false and ${where}`;
    const set = columns.map(({ name }) => `${quote(name)} = given.${quote(name)}`).join(", ");
    return `update ${source} set ${set} from ${givenRows(making, columns, rowsParameter, options.preferences.missingDefault)} where ${where} returning ${returning}`;
  });
}

/** Returns the statement that deletes the matching rows. */
export function deleteSql(making: Making, table: Table, query: Query, options: WriteWanted): Statement {
  const target = making.alias("w");
  const where = matching(making, table, query, target, "DELETE");
  return answer(making, table, query, options, target, (returning, used) => {
    if (used.length > 0 && table.mayKeepDeleted && table.primary.length > 0) {
      const [columns, keys] = [[...new Set([...used, ...table.primary])], table.primary].map((names) =>
        making.values.bind(arrayLiteral(names)),
      );
      const condition = making.values.bind(where);
      return (
        `select ${returning} from rest.delete_rows(null::${inPublic(table.name)}, '${target}', ${condition}, ` +
        `${columns}::text[], ${keys}::text[], $1) as ${target}`
      );
    }
    return `delete from ${inPublic(table.name)} as ${target} where ${where} returning ${returning}`;
  });
}

/** Returns the body's rows as a `from` item, typed like the columns that they are written to. */
function givenRows(making: Making, columns: Column[], rowsParameter: string, missingDefault: boolean): string {
  if (columns.length === 0) return `json_array_elements(${rowsParameter}::json) as given`;
  const shape = `given(${columns.map(({ name, type }) => `${quote(name)} ${type.name}`).join(", ")})`;
  const defaults = columns.flatMap((column) =>
    missingDefault && column.default !== null
      ? [`jsonb_build_object(${making.values.bind(column.name)}, ${column.default})`]
      : [],
  );
  // As in PostgREST, whose conversion also shows in columns of type json.
  if (missingDefault && defaults.length === 0) return `jsonb_to_recordset(${rowsParameter}::jsonb) as ${shape}`;
  if (defaults.length === 0) return `json_to_recordset(${rowsParameter}::json) as ${shape}`;
  const row = `${defaults.join(" || ")} || sent.item`;
  return `jsonb_array_elements(${rowsParameter}::jsonb) as sent(item), lateral jsonb_to_record(${row}) as ${shape}`;
}

function onConflict(
  making: Making,
  table: Table,
  columns: Column[],
  named: string[] | undefined,
  resolution: Preferences["resolution"],
) {
  const keys = named ?? table.primary;
  if (resolution === undefined || keys.length === 0) return "";
  const unknown = keys.find((name) => !table.columns.has(name));
  if (unknown !== undefined) throw new RestError(400, "42703", `column "${unknown}" does not exist`);
  for (const name of keys) checkColumn(table, name, making.reader);
  const conflict = ` on conflict (${keys.map(quote).join(", ")})`;
  if (resolution === "ignore-duplicates") return `${conflict} do nothing`;
  const names = columns.map(({ name }) => name);
  // The key is left out: its value is equal, and callers then need no right to change it.
  const updatedNames = names.filter((name) => !keys.includes(name));
  const set = (updatedNames.length > 0 ? updatedNames : names).map(
    (name) => `${quote(name)} = excluded.${quote(name)}`,
  );
  return set.length > 0
    ? `${conflict} do update set ${set.join(", ")} where ${COUNT_UPDATED}`
    : `${conflict} do nothing`;
}

/** Returns the condition of a change. Refuses a change without one, because that is almost always a mistake. */
function matching(making: Making, table: Table, query: Query, alias: string, verb: "UPDATE" | "DELETE"): string {
  if (query.limit !== undefined || query.offset > 0) {
    throw new RestError(400, "PGRST109", `${verb} does not take a limit or an offset`);
  }
  if (query.conditions.length === 0) throw new RestError(400, "21000", `${verb} requires a WHERE clause`);
  return conditionsSql(making, table, query, alias);
}

/** Returns a query's own conditions, without those of relations, on the rows that a statement calls `alias`. */
function conditionsSql(making: Making, table: Table, query: Query, alias: string): string {
  const { values, reader } = making;
  checkTable(table, reader);
  const scope = { table, alias, values, reader, used: new Set<string>(), embedFound: () => undefined };
  return query.conditions.map((condition) => `(${conditionSql(scope, condition)})`).join(" and ");
}

/** Refuses embedded relations that do not exist. */
function checkEmbeds(catalogue: Catalogue, table: Table, query: Query) {
  for (const item of query.items) {
    if (item.kind === "embed") checkEmbeds(catalogue, findRelationship(catalogue, table, item).target, item.query);
  }
}

/** Returns a statement with the change as a `with` query, which returns only the columns that the response needs. */
function answer(
  making: Making,
  table: Table,
  query: Query,
  { format, preferences, isPut = false }: WriteWanted,
  target: string,
  change: (returning: string, used: string[]) => string,
): Statement {
  const written = "(select count(*) from written)";
  // The count is first, because it runs the change that counts the updated rows.
  const inserted =
    preferences.resolution === "merge-duplicates"
      ? `case when ${written} > 0 then ${written} - coalesce(nullif(current_setting('${UPDATED}', true), ''), '0')::bigint else 0 end`
      : "null::bigint";
  const guard = (body: string) =>
    isPut ? `case when ${written} = 1 then ${body} else ${REFUSE_OTHER_KEY} end` : limited(body);
  const limited = (body: string) =>
    preferences.maxAffected === undefined
      ? body
      : `case when ${written} <= ${preferences.maxAffected} then ${body} else rest.refuse(400, 'PGRST124', ` +
        `'Query result exceeds max-affected preference constraint', 'The query affects ' || ${written} || ' rows') end`;
  const finish = (returning: string, used: string[], body: string, from: string): Statement => ({
    text: `with written as (${change(returning, used)}) select ${guard(body)}, ${written}, ${inserted}${from}`,
    values: making.values.list,
  });
  const returned = preferences.return ?? "minimal";
  // Of a select whose rows the response does not contain, PostgREST checks the relations, and without `*` some columns.
  if (returned !== "representation") checkEmbeds(making.catalogue, table, query);
  if (returned === "headers-only" && !query.items.some(({ kind }) => kind === "star")) {
    const own = emptyQuery(query.items.filter(({ kind }) => kind !== "embed"));
    new Rows(making, { table, sql: "written", holdsComputed: true }, own);
  }
  const single = (body: string) => (format.shape === "object" ? onlyOne(body, written) : body);
  if (returned === "minimal") return finish("1", [], single("''::text"), "");
  const items = table.primary.map((name) => ({ kind: "column" as const, field: { name, path: [] } }));
  const returnedQuery = returned === "headers-only" ? emptyQuery(items) : { ...query, conditions: [] };
  const rows = new Rows(making, { table, sql: "written", holdsComputed: true }, returnedQuery);
  const read = (name: string) =>
    table.columns.has(name) ? `${target}.${quote(name)}` : `${inPublic(name)}(${target}) as ${quote(name)}`;
  const returning = [...rows.used].map(read).join(", ") || "1";
  const shape: Format = returned === "headers-only" ? { ...format, shape: "array" } : format;
  const body = bodySql(making, rows, shape);
  return finish(
    returning,
    [...rows.used],
    returned === "headers-only" ? single(body) : body,
    ` from ${answeredSql(rows, shape)}`,
  );
}
