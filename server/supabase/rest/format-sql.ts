import type { Format } from "./headers.ts";
import type { Rows } from "./select-sql.ts";
import type { Making } from "./sql.ts";

/** Returns SQL for the response's text: one value over the rows called `answered`. */
export function bodySql(making: Making, rows: Rows, format: Format, row = "answered.*"): string {
  if (format.shape === "csv") return csvSql(making, rows);
  const json = format.withoutNulls ? `json_strip_nulls(json_agg(${row}))` : `json_agg(${row})`;
  if (format.shape === "first") return `coalesce(${json} -> 0, 'null')::text`;
  return format.shape === "object" ? onlyOne(`(${json} -> 0)::text`) : `coalesce(${json}, '[]')::text`;
}

/** Returns the rows as the `from` of {@link bodySql}. */
export const answeredSql = (rows: Rows, format: Format, most?: number): string =>
  `(${rows.select({ most, plainNames: format.shape === "csv" })}) as answered`;

/** Returns SQL that raises an error unless there is one row. The error in the database also rolls back a write. */
export const onlyOne = (body: string, count = "count(*)") =>
  `case when ${count} = 1 then ${body} else rest.refuse(406, 'PGRST116', ` +
  `'Cannot coerce the result to a single JSON object', 'The result contains ' || ${count} || ' rows') end`;

/** Returns SQL for CSV, in which each row is PostgreSQL's text of a record. There is no header without a row. */
const csvSql = ({ values }: Making, rows: Rows): string =>
  `case when count(*) > 0 then ${values.bind(rows.outputs.map(({ name }) => name).join(","))} else '' end || E'\\n' || ` +
  "coalesce(string_agg(substring(answered::text, 2, length(answered::text) - 2), E'\\n'), '')";
