import type { Table } from "./catalogue.ts";
import { answeredSql, bodySql } from "./format-sql.ts";
import type { Format } from "./headers.ts";
import type { Query } from "./query.ts";
import { Rows } from "./select-sql.ts";
import { inPublic, type Making, type Statement } from "./sql.ts";

/** A read's options. */
export interface Wanted {
  format: Format;
  /** Whether to count all matching rows, regardless of the limit. */
  count: boolean;
  /** Whether there is one row, which is an answer without a list: the result of a function without a set. */
  isOne?: boolean;
  /** SQL for the value that stands for a row; a JSON object of its columns by default. */
  value?: string;
}

/** Returns the statement that reads rows of a table or view, with embedded rows. */
export function readSql(making: Making, table: Table, query: Query, options: Wanted): Statement {
  const rows = new Rows(making, { table, sql: inPublic(table.name) }, query);
  return { text: answerSql(making, rows, options), values: making.values.list };
}

export function answerSql(
  making: Making,
  rows: Rows,
  { format: bodyFormat, count, isOne = false, value }: Wanted,
): string {
  const format: Format = isOne && bodyFormat.shape !== "csv" ? { ...bodyFormat, shape: "first" } : bodyFormat;
  const answered = answeredSql(rows, format, making.maxRows);
  return `select ${bodySql(making, rows, format, value)}, ${isOne ? "1::bigint" : "count(*)"}, ${count ? rows.total : "null::bigint"} from ${answered}`;
}
