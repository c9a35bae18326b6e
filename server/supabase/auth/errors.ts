import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { RequestError, RetryLaterError } from "../../../shared/request-error.ts";
import { isSqlError } from "../../database/database.ts";
import { OutOfBoundsError } from "../bounds.ts";
import { BadBearerError } from "../callers.ts";
import { type ServiceFailure, serviceFailure } from "../service-failure.ts";

const VERSION_HEADER = "x-supabase-api-version";
/** From this API version on, `code` is the error's name. Earlier, `code` is the status and `error_code` the name. */
const NAMED_CODES_VERSION = "2024-01-01";

/** Sends every error of this plugin in the protocol's format, in the API version that the client requested. */
export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler<FastifyError | Error>((error, request, reply) => {
    const refusal = asRefusal(error);
    if (!refusal) request.log.error(error);
    const failure = refusal ? undefined : serviceFailure(error);
    if (failure?.retryAfter !== undefined) reply.header("retry-after", failure.retryAfter);
    const { status, message, code, details } = refusal ?? (failure ? FAILED[failure.kind](failure) : UNEXPECTED);
    reply.code(status);
    if (refusal instanceof RetryLaterError) reply.header("retry-after", refusal.retryAfter);
    if (!wantsNamedCodes(request)) return reply.send({ code: status, error_code: code, msg: message, ...details });
    return reply.header(VERSION_HEADER, NAMED_CODES_VERSION).send({ code, message, ...details });
  });
}

const UNEXPECTED = new RequestError("unexpected_failure");

/** Responses to server failures, with the hosted platform's code if it has one. */
const FAILED: Record<ServiceFailure["kind"], (failure: ServiceFailure) => Answer> = {
  timeout: ({ message }) => ({ status: 504, message, code: "request_timeout" }),
  busy: ({ message }) => ({ status: 503, message, code: "unexpected_failure" }),
  unreachable: ({ message }) => ({ status: 503, message, code: "unexpected_failure" }),
  read_only: ({ message }) => ({ status: 503, message, code: "unexpected_failure" }),
  disk_full: ({ message }) => ({ status: 507, message, code: "disk_full" }),
};

type Answer = Pick<RequestError, "status" | "message" | "code"> & Partial<Pick<RequestError, "details">>;

function wantsNamedCodes(request: FastifyRequest): boolean {
  const version = String(request.headers[VERSION_HEADER]);
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= NAMED_CODES_VERSION;
}

/** Returns the error to report for a client's mistake; undefined for a bug, whose details are not reported. */
function asRefusal(error: FastifyError | Error): RequestError | undefined {
  if (error instanceof RequestError) return error;
  if (error instanceof OutOfBoundsError)
    return new RequestError("validation_failed", { message: error.message, status: error.status });
  if (error instanceof BadBearerError) return asBadJwt(error);
  if (isSqlError(error)) return asBadValue(error.code, error.constraint);
  // Errors of other libraries carry status codes too; only the framework's are meant for clients.
  if ("code" in error && error.code?.startsWith("FST_ERR_")) return asBadRequest(error);
  return undefined;
}

const asBadJwt = (error: BadBearerError) =>
  error.expired
    ? // The hosted platform's text, from which a client recognises that it must refresh the session (Spec §8).
      new RequestError("bad_jwt")
    : new RequestError("bad_jwt", { message: "invalid JWT: unable to parse or verify signature", status: 403 });

/** Returns the error for a value that passes validation but that the database refuses, such as a NUL in a text. */
function asBadValue(code: string, constraint: string | undefined): RequestError | undefined {
  if (constraint === "user_metadata_fits_a_token")
    return new RequestError("validation_failed", { message: "User metadata may take up to 8 KB", status: 422 });
  if (code.startsWith("22")) return new RequestError("validation_failed", { message: "A value cannot be stored" });
  return undefined;
}

function asBadRequest(error: FastifyError): RequestError | undefined {
  const status = error.statusCode ?? 500;
  if (status >= 500) return undefined;
  if (status === 400) return new RequestError("bad_json");
  return new RequestError("validation_failed", { message: error.message, status });
}
