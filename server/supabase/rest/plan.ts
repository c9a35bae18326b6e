import type { Reply } from "./answer.ts";
import type { Callable, Catalogue, Table } from "./catalogue.ts";
import { negativeLimit, notSupported, otherKey, RestError } from "./errors.ts";
import {
  appliedPreferences,
  type Format,
  type Preferences,
  readFormat,
  readPreferences,
  readRange,
} from "./headers.ts";
import { type Pair, type Parameters, parseQuery } from "./parse-query.ts";
import { type Cleaners, type Payload, readPayload } from "./payload.ts";
import type { Condition, Query } from "./query.ts";
import { readSql } from "./read-sql.ts";
import type { Reader } from "./readable.ts";
import { findFunction, type Given, isArgumentOf, rpcSql } from "./rpc-sql.ts";
import { Making, type Statement } from "./sql.ts";
import { deleteSql, insertSql, updateSql } from "./write-sql.ts";

/** A request without its caller. */
export interface RestRequest {
  method: string;
  /** The table's or the function's name. */
  name: string;
  pairs: Pair[];
  prefer?: string;
  accept?: string;
  range?: string;
  /** The body's text; empty for none. */
  body: string;
}

export interface Limits {
  /** The maximum number of rows in any list of a response. */
  maxRows: number;
  /** `*` stands for the columns that they may select. */
  reader: Reader;
}

export interface Plan {
  statement: Statement;
  /** Whether the transaction is read-only, as for every GET. */
  readOnly: boolean;
  reply: Reply;
}

/** Plans a request to a table or view; throws RestError. */
export function planTable(request: RestRequest, catalogue: Catalogue, limits: Limits, cleaners: Cleaners): Plan {
  const { method, name } = request;
  const table = catalogue.tables.get(name);
  if (!table) throw noTable(name);
  const making = new Making(catalogue, limits.maxRows, limits.reader);
  const { parameters, format, preferences } = readCommon(request);
  const { query, columns, onConflict } = parameters;
  const preferred = { format, preferences };
  const reply: Reply = {
    kind: "change",
    contentType: format.contentType,
    preferences,
    applied: appliedPreferences(preferences, "read"),
    offset: query.offset,
    statesRange: needsRange(query, preferences),
    positioned: true,
    name,
  };
  const change = (
    statement: Statement,
    verb: "insert" | "put" | "update" | "delete",
    kind: Reply["kind"] = "change",
  ): Plan => ({
    statement,
    readOnly: false,
    reply: {
      ...reply,
      kind,
      offset: 0,
      applied: appliedPreferences(preferences, verb),
      // Only the rows of an update have a position, and a put has always one row.
      positioned: verb === "update",
      statesRange: reply.statesRange && verb !== "put",
    },
  });
  switch (method) {
    case "POST": {
      const payload = readPayload(request.body);
      const insert = { payload, columns, onConflict, cleaners };
      // Without a key there is no conflict to resolve.
      if (table.primary.length === 0 && !onConflict) preferences.sent.delete("resolution");
      const returned = { ...query, conditions: [], limit: undefined, offset: 0 };
      return change(insertSql(making, table, returned, insert, preferred), "insert", "insert");
    }
    case "PATCH":
      return change(
        updateSql(making, table, query, { payload: readPayload(request.body), columns, cleaners }, preferred),
        "update",
      );
    case "PUT": {
      const payload = readPayload(request.body);
      checkPut(table, query, payload);
      // A put writes the whole row, so no column gets its default.
      const whole = { resolution: "merge-duplicates" as const, missingDefault: false };
      const merging = { format, preferences: { ...preferences, ...whole } };
      const insert = { payload, cleaners, isPut: true };
      return change(insertSql(making, table, query, insert, merging), "put", "put");
    }
    case "DELETE":
      return change(deleteSql(making, table, query, preferred), "delete");
    default:
      return {
        statement: readSql(making, table, query, { format, count: preferences.count }),
        readOnly: true,
        reply: { ...reply, kind: "read" },
      };
  }
}

/** Plans a call of a function; throws RestError. */
export function planCall(request: RestRequest, catalogue: Catalogue, limits: Limits, cleaners: Cleaners): Plan {
  const { name } = request;
  const reading = request.method !== "POST";
  const { parameters, format, preferences } = readCommon(request, reading ? isArgumentOf(catalogue, name) : undefined);
  const callParameters: Given = reading
    ? { pairs: parameters.args, cleaners }
    : { payload: readPayload(request.body || "{}"), cleaners, columns: parameters.columns };
  const callable = findFunction(catalogue, name, callParameters);
  if (preferences.maxAffected !== undefined) throw limitedCall(callable);
  const making = new Making(catalogue, limits.maxRows, limits.reader);
  const { query } = parameters;
  const isVoid = callable.returns === "void";
  return {
    statement: rpcSql(making, callable, callParameters, query, { format, count: preferences.count }),
    readOnly: reading,
    reply: {
      kind: isVoid ? "void" : callable.returnsSet ? "read" : "value",
      contentType: format.contentType,
      preferences,
      applied: appliedPreferences(preferences, "call"),
      offset: query.offset,
      statesRange: needsRange(query, preferences),
      positioned: true,
      name,
    },
  };
}

const needsRange = ({ limit, offset }: Query, { count }: Preferences) => count || limit !== undefined || offset > 0;

interface Common {
  parameters: Parameters;
  format: Format;
  preferences: Preferences;
}

function readCommon(request: RestRequest, isArgument?: (name: string) => boolean): Common {
  const parameters = parseQuery(request.pairs, isArgument);
  const { query } = parameters;
  // A limit of 0 is valid without a further bound.
  if (query.limit === 0 && query.offset > 0) throw negativeLimit();
  const range = request.method === "GET" && query.limit !== 0 ? readRange(request.range) : undefined;
  if (range) narrow(query, range);
  return { parameters, format: readFormat(request.accept), preferences: readPreferences(request.prefer) };
}

/** Reduces a query to those of its rows that are also in `range`. Refuses a reduction to none. */
function narrow(query: Query, range: { limit?: number; offset: number }) {
  const end = ({ limit = Number.POSITIVE_INFINITY, offset }: { limit?: number; offset: number }) => offset + limit;
  const last = Math.min(end(query), end(range));
  query.offset = Math.max(query.offset, range.offset);
  if (last <= query.offset) throw negativeLimit();
  if (Number.isFinite(last)) query.limit = last - query.offset;
}

/**
 * Refuses a PUT unless it names one row by its whole primary key, and its body has that key. The statement compares the
 * values, as those of their types.
 */
function checkPut(table: Table, query: Query, payload: Payload) {
  if (query.limit !== undefined || query.offset > 0) {
    throw new RestError(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT");
  }
  const isKey = (one: Condition) =>
    one.kind === "test" && one.operator === "eq" && one.field.path.length === 0 && !one.negated && !one.quantifier;
  const names = new Set(query.conditions.map((one) => (one.kind === "test" ? one.field.name : "")));
  const isWhole = names.size === table.primary.length && table.primary.every((column) => names.has(column));
  if (names.size === 0 || !isWhole || !query.conditions.every(isKey)) {
    throw new RestError(405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators");
  }
  if (!payload.rows.every((row) => table.primary.every((column) => Object.hasOwn(row, column)))) throw otherKey();
}

/** Returns the refusal of a call with a limit of affected rows. */
const limitedCall = ({ returnsSet }: Callable) =>
  returnsSet
    ? notSupported("This server does not offer max-affected for functions.")
    : new RestError(
        400,
        "PGRST128",
        "Function must return SETOF or TABLE when max-affected preference is used with handling=strict",
      );

const noTable = (name: string) =>
  new RestError(404, "PGRST205", `Could not find the table 'public.${name}' in the schema cache`);
