import type { Format } from "./headers.ts";
import type { Rows } from "./select-sql.ts";
import type { Making } from "./sql.ts";

/** Returns SQL for the response's text: one value over the rows called `answered`. */
export function bodySql(making: Making, rows: Rows, format: Format): string {
  if (format.shape === "csv") return csvSql(making, rows);
  const json = format.withoutNulls ? "json_strip_nulls(json_agg(answered.*))" : "json_agg(answered.*)";
  return format.shape === "object" ? onlyOne(`(${json} -> 0)::text`) : `coalesce(${json}, '[]')::text`;
}

/** Returns the rows as the `from` of {@link bodySql}. */
export const answeredSql = (rows: Rows, format: Format, most?: number): string =>
  `(${rows.select({ most, plainNames: format.shape === "csv" })}) as answered`;

/** Returns SQL that raises an error unless there is one row. The error in the database also rolls back a write. */
const onlyOne = (body: string) =>
  `case when count(*) = 1 then ${body} else rest.refuse(406, 'PGRST116', ` +
  `'Cannot coerce the result to a single JSON object', 'The result contains ' || count(*) || ' rows') end`;

/** Returns SQL for CSV. Cells are quoted where RFC 4180 requires it. A null is an empty cell. */
function csvSql({ values }: Making, rows: Rows): string {
  const header = rows.outputs.map(({ name }) => csvCell(name)).join(",");
  const cells = rows.outputs.map((_, place) => {
    const text = `answered.c${place}::text`;
    return `case when ${text} ~ '[",\\n\\r]' then '"' || replace(${text}, '"', '""') || '"' else coalesce(${text}, '') end`;
  });
  return `${values.bind(header)} || coalesce(E'\\n' || string_agg(${cells.join(" || ',' || ") || "''"}, E'\\n'), '')`;
}

const csvCell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
