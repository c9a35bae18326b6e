import { isSqlError, type SqlError } from "../../database/database.ts";
import { MESSAGE_LENGTH, SHORT_VALUE_LENGTH } from "../bounds.ts";
import { retryAfterOf, type ServiceFailure, serviceFailure } from "../service-failure.ts";

/** An error in the protocol's format. */
export class RestError extends Error {
  constructor(
    readonly status: number,
    /** `PGRST…` for errors of the protocol, five characters of SQLSTATE for those of the database, or `not_supported`. */
    readonly code: string,
    message: string,
    readonly details: unknown = null,
    readonly hint: string | null = null,
    /** Seconds after which the same request may succeed. */
    readonly retryAfter?: number,
    /** Further headers of the response. */
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** Returns the error for a request that cannot be parsed. `expected` describes the valid text at this position. */
export const syntaxError = (text: string, at: number, expected: string) =>
  new RestError(
    400,
    "PGRST100",
    `"failed to parse (${text.slice(0, 200)})" (line 1, column ${at + 1})`,
    `${at < text.length ? `unexpected "${text[at]}"` : "unexpected end of input"} expecting ${expected}`,
  );

/** Returns the error for a part of the protocol that this server does not offer. `message` is a sentence. */
export const notSupported = (message: string, status = 400) => new RestError(status, "not_supported", message);

/** Returns the error for a request that exceeds a limit. */
export const tooMuch = (what: string, most: number) =>
  new RestError(400, "PGRST100", `Too many ${what}: at most ${most} in one request`);

export const tooLong = (what: string) =>
  new RestError(400, "PGRST102", `${what} may have up to ${SHORT_VALUE_LENGTH} characters`);

/** Returns the error for a range without rows: of a negative limit, or of a limit and a `Range` that do not overlap. */
export const negativeLimit = () =>
  new RestError(416, "PGRST103", "Requested range not satisfiable", "Limit should be greater than or equal to zero.");

export const unknownColumn = (table: string, column: string) =>
  new RestError(400, "42703", `column ${table}.${column} does not exist`);

export const notEmbedded = (relation: string) =>
  new RestError(
    400,
    "PGRST108",
    `'${relation}' is not an embedded resource in this request`,
    null,
    `Verify that '${relation}' is included in the 'select' query parameter.`,
  );

/** Returns the error for two embeds of one name, of which an answer could contain only one. */
export const embeddedTwice = (name: string) =>
  new RestError(
    400,
    "42712",
    `table name "${name}" specified more than once`,
    null,
    "Give each of the embedded relations an alias.",
  );

const OTHER_KEY = "Payload values do not match URL in primary key column(s)";

/** Returns the error for a PUT whose body is another row than the requested one. */
export const otherKey = () => new RestError(400, "PGRST115", OTHER_KEY);

/** SQL that raises {@link otherKey}. */
export const REFUSE_OTHER_KEY = `rest.refuse(400, 'PGRST115', '${OTHER_KEY}', null)`;

/** Returns the error for an order of counted groups by a column that differs within a group. */
export const ungrouped = (table: string, column: string) =>
  new RestError(
    400,
    "42803",
    `column "${table}.${column}" must appear in the GROUP BY clause or be used in an aggregate function`,
  );

const UNKNOWN_NAME = new Set(["PGRST200", "PGRST202", "PGRST204", "PGRST205", "42703", "42P01", "42883"]);

/** Whether the error may result from an outdated catalogue. */
export const namesSomethingUnknown = (error: unknown): boolean =>
  (error instanceof RestError || isSqlError(error)) && UNKNOWN_NAME.has(error.code);

/** HTTP statuses by SQLSTATE or its first two characters, as in PostgREST. The longer match wins. */
const STATUS: Record<string, number> = {
  "08": 503,
  "09": 500,
  "21000": 500,
  "0L": 403,
  "0P": 403,
  "23503": 409,
  "23505": 409,
  "25": 500,
  "25006": 405,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  "53": 503,
  "53100": 507,
  "53400": 500,
  "54": 500,
  "55": 500,
  "57": 500,
  "57P01": 503,
  "57P02": 503,
  "57P03": 503,
  "58": 500,
  F0: 500,
  HV: 500,
  P0: 500,
  P0001: 400,
  XX: 500,
};

/** SQLSTATEs of server failures that a caller can act on: a timeout, a conflict with another caller, one row twice. */
const SPEAKABLE = new Set(["21000", "57014", "40001", "40P01", "55P03"]);

/**
 * Returns a database error in the protocol's format. `signedIn` decides between 403 (forbidden) and 401 (not signed
 * in), and `reading` between 405 (a function that a GET may not call) and 503 (a read-only database).
 */
export function fromSqlError(
  error: SqlError,
  { signedIn, reading }: { signedIn: boolean; reading: boolean },
): RestError {
  const { code } = error;
  if (code === "PGRST") return fromRaised(error);
  const failure = reading && code === "25006" ? undefined : serviceFailure(error);
  // Clients recognise a timeout by the database's own message.
  if (failure && failure.kind !== "timeout") return fromFailure(failure, code);
  const hint = error.hint ?? null;
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) return new RestError(429, code, error.message, null, hint, retryAfter);
  const details = error.detail ?? null;
  if (/^PT\d{3}$/.test(code)) return new RestError(Number(code.slice(2)), code, error.message, details, hint);
  if (code === "21000" && error.message.endsWith("requires a WHERE clause")) {
    return new RestError(400, code, error.message, details, hint);
  }
  if (code === "42501") return new RestError(signedIn ? 403 : 401, code, error.message, details, hint);
  const status = STATUS[code] ?? STATUS[code.slice(0, 2)] ?? 400;
  if (status >= 500 && !SPEAKABLE.has(code)) return new RestError(status, code, "Internal error");
  return new RestError(status, code, brief(error.message), details && brief(details), hint && brief(hint));
}

/** Shortens a database message, because it may repeat values of the request. */
const brief = (text: string) => (text.length > MESSAGE_LENGTH ? `${text.slice(0, MESSAGE_LENGTH)}…` : text);

const FAILURE_STATUS: Record<ServiceFailure["kind"], number> = {
  timeout: 500,
  busy: 503,
  unreachable: 503,
  read_only: 503,
  disk_full: 507,
};

/** Returns the error for a failure of the server. Programs act on `code`. */
export const fromFailure = ({ kind, message, retryAfter }: ServiceFailure, code = "PGRST000") =>
  new RestError(FAILURE_STATUS[kind], code, message, null, null, retryAfter);

/** Returns the response in an error of SQLSTATE `PGRST`: body as JSON in the message, status as JSON in the detail. */
function fromRaised(error: SqlError): RestError {
  try {
    const body = JSON.parse(error.message) as Record<string, unknown>;
    const { status, headers } = JSON.parse(error.detail ?? "") as Record<string, unknown>;
    return new RestError(
      Number(status),
      String(body.code),
      String(body.message),
      body.details ?? null,
      typeof body.hint === "string" ? body.hint : null,
      undefined,
      Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
    );
  } catch {
    return new RestError(
      500,
      "PGRST121",
      "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
      "The message and the detail must be JSON objects.",
    );
  }
}
