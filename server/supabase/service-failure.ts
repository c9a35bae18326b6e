import type { FastifyReply } from "fastify";
import { ERRORS, errorBody } from "../../shared/request-error.ts";
import { isSqlError, type SqlError } from "../database/database.ts";
import { ObjectStorageError } from "../files/object-store.ts";

/** A condition of the server, not of the request, under which the same request may succeed later. */
export interface ServiceFailure {
  kind: "timeout" | "busy" | "unreachable" | "disk_full" | "read_only";
  /** A message for people. */
  message: string;
  /** Seconds for the header `Retry-After`; absent if waiting alone does not help. */
  retryAfter?: number;
}

/** Seconds after which the same request may succeed, if waiting helps. */
const RETRY_AFTER: Partial<Record<ServiceFailure["kind"], number>> = { busy: 1, unreachable: 1, read_only: 60 };

const failure = (kind: ServiceFailure["kind"]): ServiceFailure => {
  const retryAfter = RETRY_AFTER[kind];
  return { kind, message: ERRORS[kind][1], ...(retryAfter !== undefined && { retryAfter }) };
};

/** Sends a failure as `{ message, code }`, the format of functions and of routes outside the platform protocols. */
export function sendFailure(reply: FastifyReply, { kind, message, retryAfter }: ServiceFailure) {
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  return reply.code(ERRORS[kind][0]).header("cache-control", "no-store").send(errorBody(kind, message));
}

const OBJECTS_AWAY = "The stored files cannot be reached right now. Please try again in a moment.";

/**
 * Seconds for `Retry-After` of a limit that the database enforces: its errors have the SQLSTATE `PT429`, and the seconds as
 * detail. Undefined for any other error.
 */
export function retryAfterOf({ code, detail }: Pick<SqlError, "code" | "detail">): number | undefined {
  return code === "PT429" && /^\d{1,9}$/.test(detail ?? "") ? Math.max(1, Number(detail)) : undefined;
}

/** The error of a full queue of the server. */
export class OverloadedError extends Error {}

/** Returns the failure behind an error of the database, a file system or a queue; undefined for any other error. */
export function serviceFailure(error: unknown): ServiceFailure | undefined {
  if (error instanceof OverloadedError) return failure("busy");
  if (error instanceof ObjectStorageError) return { ...failure("unreachable"), message: OBJECTS_AWAY };
  if (!(error instanceof Error)) return undefined;
  const kind = kindOfSystemError(error) ?? (isSqlError(error) ? kindOfSqlState(error.code) : undefined);
  return kind && failure(kind);
}

function kindOfSqlState(code: string): ServiceFailure["kind"] | undefined {
  if (code === "57014") return "timeout";
  if (code === "53100") return "disk_full";
  // The installation is being moved: see `server/backup/read-only.ts`.
  if (code === "25006") return "read_only";
  // 53400 is a configured limit. PostgREST reports it as a defect, because a retry does not help.
  if (code.startsWith("53") && code !== "53400") return "busy";
  if (code.startsWith("08") || /^57P0[123]$/.test(code)) return "unreachable";
  return undefined;
}

const FULL = new Set(["ENOSPC", "EDQUOT"]);

function kindOfSystemError(error: NodeJS.ErrnoException): ServiceFailure["kind"] | undefined {
  if (error.code && FULL.has(error.code)) return "disk_full";
  // A file system error can be the cause of another error.
  return error.cause instanceof Error ? serviceFailure(error.cause)?.kind : undefined;
}
