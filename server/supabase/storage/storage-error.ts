import { codeOf, type ErrorCode, RetryLaterError } from "../../../shared/request-error.ts";
import { isSqlError, type SqlError } from "../../database/database.ts";
import { OutOfBoundsError } from "../bounds.ts";
import { BadBearerError } from "../callers.ts";
import { retryAfterOf, type ServiceFailure, serviceFailure } from "../service-failure.ts";

/** An error in the protocol's format: `{ statusCode, error, message }`. */
export class StorageError extends Error {
  constructor(
    readonly status: number,
    /** An error code for programs, e.g. `Duplicate`. */
    readonly error: ErrorCode,
    message: string,
    /** Seconds after which the same request may succeed. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  get body() {
    return { statusCode: String(this.status), error: this.error, message: this.message };
  }
}

export const notFound = () => new StorageError(404, "not_found", "Object not found");
export const bucketNotFound = () => new StorageError(404, "Bucket not found", "Bucket not found");
export const tooLarge = () => new StorageError(413, "too_large", "The object exceeded the maximum allowed size");
export const notSupported = (message: string) => new StorageError(400, "not_supported", message);
export const badRequest = (message: string) => new StorageError(400, "invalid_request", message);

/** Returns the error for a failure of the server that may be temporary. */
export function failureFrom(error: unknown): StorageError | undefined {
  const failure = serviceFailure(error);
  if (!failure) return undefined;
  const [status, word] = FAILED[failure.kind];
  return new StorageError(status, word, failure.message, failure.retryAfter);
}

/** Statuses and error codes of server failures. The hosted platform uses 544 for a timeout. */
const FAILED: Record<ServiceFailure["kind"], [status: number, word: ErrorCode]> = {
  timeout: [544, "DatabaseTimeout"],
  busy: [503, "SlowDown"],
  unreachable: [503, "SlowDown"],
  read_only: [503, "SlowDown"],
  disk_full: [507, "disk_full"],
};

/** Returns the error for a fault of the request; undefined for a fault of the server. */
export function refusalFrom(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  if (error instanceof OutOfBoundsError) return new StorageError(error.status, "invalid_request", error.message);
  if (error instanceof RetryLaterError) {
    return new StorageError(error.status, "SlowDown", error.message, error.retryAfter);
  }
  if (error instanceof BadBearerError) {
    return new StorageError(401, "Unauthorized", error.expired ? "jwt expired" : error.message);
  }
  return isSqlError(error) ? refusalOfDatabase(error) : undefined;
}

function refusalOfDatabase(error: SqlError): StorageError | undefined {
  // Raised by SQL for the caller: the status is in the code, the error code in the hint.
  if (/^PT[45]\d\d$/.test(error.code)) {
    return new StorageError(
      Number(error.code.slice(2)),
      error.hint ? codeOf(error.hint) : "invalid_request",
      error.message,
      retryAfterOf(error),
    );
  }
  switch (error.code) {
    case "42501":
      return new StorageError(403, "Unauthorized", error.message);
    case "23505":
      return new StorageError(409, "Duplicate", "The resource already exists");
    case "23503":
    case "23514":
    case "22P02":
      return badRequest("The object does not fit what it belongs to");
    // Zero bytes, in a text and in JSON.
    case "22021":
    case "22P05":
      return badRequest("A request must not contain a zero byte");
    // Raised by a trigger, with a message for people.
    case "P0001":
      return badRequest(error.message);
  }
}
