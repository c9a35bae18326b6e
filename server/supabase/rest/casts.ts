import { RestError } from "./errors.ts";

/** Types a request may cast to, under the names people use; none whose input can run anything or read the catalogue. */
const CASTS: Record<string, string> = {
  bigint: "int8",
  bool: "bool",
  boolean: "bool",
  date: "date",
  decimal: "numeric",
  doubleprecision: "float8",
  float4: "float4",
  float8: "float8",
  int: "int4",
  int2: "int2",
  int4: "int4",
  int8: "int8",
  integer: "int4",
  interval: "interval",
  json: "json",
  jsonb: "jsonb",
  numeric: "numeric",
  real: "float4",
  smallint: "int2",
  text: "text",
  time: "time",
  timestamp: "timestamp",
  timestamptz: "timestamptz",
  timetz: "timetz",
  uuid: "uuid",
  varchar: "varchar",
};

/** `sql` cast to a type by its everyday name; refuses those that are not among the plain ones. */
export function castTo(sql: string, type: string): string {
  const name = type.replaceAll(" ", "").toLowerCase();
  if (!Object.hasOwn(CASTS, name)) throw new RestError(400, "42704", `type "${type}" does not exist`);
  return `${sql}::pg_catalog.${CASTS[name]}`;
}
