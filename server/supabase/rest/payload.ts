import { ROWS_PER_WRITE, SHORT_VALUE_LENGTH } from "../bounds.ts";
import { type Column, isShortType, type Type } from "./catalogue.ts";
import { RestError, tooLong, tooMuch } from "./errors.ts";

/** Cleaners by the name of their domain type. */
export type Cleaners = Record<string, (value: string) => string>;

/** A request's JSON body: rows to write, or a function's arguments. */
export interface Payload {
  /** The body as sent. */
  text: string;
  rows: Record<string, unknown>[];
  isArray: boolean;
}

const invalid = (details: string | null = null) => new RestError(400, "PGRST102", "Empty or invalid json", details);

/** Reads a body that must be an object or an array of objects. */
export function readPayload(text: string): Payload {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw invalid();
  }
  const isArray = Array.isArray(read);
  const rows: unknown[] = Array.isArray(read) ? read : [read];
  if (rows.length > ROWS_PER_WRITE) throw tooMuch("rows", ROWS_PER_WRITE);
  if (!rows.every(isRecord)) throw invalid("The body must be an object or an array of objects");
  return { text, rows, isArray };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the keys that all rows share. Refuses rows with different keys, because the columns would be ambiguous. */
export function sharedKeys({ rows }: Payload): string[] {
  const keys = Object.keys(rows[0] ?? {});
  const same = (row: Record<string, unknown>) =>
    Object.keys(row).length === keys.length && keys.every((key) => Object.hasOwn(row, key));
  if (!rows.every(same)) throw new RestError(400, "PGRST102", "All object keys must match");
  return keys;
}

/**
 * Returns the body as JSON text for the database. The text is unchanged, which keeps numbers that JavaScript cannot
 * represent, unless a value goes into a type that has a cleaner.
 */
export function cleanText(payload: Payload, into: { name: string; type: Type }[], cleaners: Cleaners): string {
  checkLengths(payload, into);
  const cleaned = into.flatMap(({ name, type }) => {
    const clean = type.domain !== null && Object.hasOwn(cleaners, type.domain) ? cleaners[type.domain] : undefined;
    return clean ? [{ name, clean }] : [];
  });
  if (!payload.rows.some((row) => cleaned.some(({ name }) => Object.hasOwn(row, name)))) return payload.text;
  const rows = payload.rows.map((row) => {
    const copy = { ...row };
    for (const { name, clean } of cleaned) {
      const value = row[name];
      // The database stores other JSON values in a text column as JSON text, so that text is cleaned.
      if (value !== null && value !== undefined)
        copy[name] = clean(typeof value === "string" ? value : JSON.stringify(value));
    }
    return copy;
  });
  return JSON.stringify(payload.isArray ? rows : rows[0]);
}

/** Refuses values that are too long for their type. The database would repeat the whole value, also in its log. */
function checkLengths({ rows }: Payload, into: { name: string; type: Type }[]) {
  for (const { name } of into.filter(({ type }) => isShortType(type))) {
    const isLong = ({ [name]: value }: Record<string, unknown>) =>
      typeof value === "string" && value.length > SHORT_VALUE_LENGTH;
    if (rows.some(isLong)) throw tooLong(`A value of ${name}`);
  }
}

/** Returns the table's columns with these names. Refuses an unknown name. */
export function columnsOf(table: { name: string; columns: Map<string, Column> }, names: string[]): Column[] {
  return names.map((name) => {
    const column = table.columns.get(name);
    if (column) return column;
    throw new RestError(400, "PGRST204", `Could not find the '${name}' column of '${table.name}' in the schema cache`);
  });
}
