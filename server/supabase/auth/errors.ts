import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { Refusal, TemporaryRefusal } from "../../../shared/refusal.ts";
import { isSqlError } from "../../database/database.ts";
import { OutOfBoundsError } from "../bounds.ts";
import { BadBearerError } from "../callers.ts";
import { type ServiceFailure, serviceFailure } from "../service-failure.ts";

const VERSION_HEADER = "x-supabase-api-version";
/** From this version on a body's `code` is the word; before, it is the status and the word is `error_code`. */
const WORDED_VERSION = "2024-01-01";

/** Answers every error under this plugin in the protocol's shape, in the version that the client asked for. */
export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler<FastifyError | Error>((error, request, reply) => {
    const refusal = asRefusal(error);
    if (!refusal) request.log.error(error);
    const failure = refusal ? undefined : serviceFailure(error);
    if (failure?.retryAfter !== undefined) reply.header("retry-after", failure.retryAfter);
    const { status, message, code, details } = refusal ?? (failure ? FAILED[failure.kind](failure) : UNEXPECTED);
    reply.code(status);
    if (refusal instanceof TemporaryRefusal) reply.header("retry-after", refusal.retryAfter);
    if (!asksForWords(request)) return reply.send({ code: status, error_code: code, msg: message, ...details });
    return reply.header(VERSION_HEADER, WORDED_VERSION).send({ code, message, ...details });
  });
}

const UNEXPECTED = new Refusal(
  500,
  "Unexpected failure, please check server logs for more information",
  "unexpected_failure",
);

/** A failure of the server under the hosted platform's codes, where it has one. */
const FAILED: Record<ServiceFailure["kind"], (failure: ServiceFailure) => Answer> = {
  timeout: ({ message }) => ({ status: 504, message, code: "request_timeout" }),
  busy: ({ message }) => ({ status: 503, message, code: "unexpected_failure" }),
  unreachable: ({ message }) => ({ status: 503, message, code: "unexpected_failure" }),
  disk_full: ({ message }) => ({ status: 507, message, code: "disk_full" }),
};

type Answer = Pick<Refusal, "status" | "message" | "code" | "details">;

function asksForWords(request: FastifyRequest): boolean {
  const version = String(request.headers[VERSION_HEADER]);
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= WORDED_VERSION;
}

/** What an error says to the client; undefined for a bug, which says nothing. */
function asRefusal(error: FastifyError | Error): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof OutOfBoundsError) return new Refusal(error.status, error.message, "validation_failed");
  if (error instanceof BadBearerError) return asBadJwt(error);
  if (isSqlError(error)) return asBadValue(error.code, error.constraint);
  // Vendor errors carry status codes too, so only the framework's may speak.
  if ("code" in error && error.code?.startsWith("FST_ERR_")) return asBadRequest(error);
  return undefined;
}

const asBadJwt = (error: BadBearerError) =>
  error.expired
    ? // The hosted platform's words, and the ones by which a client knows to refresh (Spec §8).
      new Refusal(401, "invalid JWT: token has invalid claims: token is expired (jwt expired)", "bad_jwt")
    : new Refusal(403, "invalid JWT: unable to parse or verify signature", "bad_jwt");

/** Values that no rule of ours names and the database refuses, as a NUL in a text. */
function asBadValue(code: string, constraint: string | undefined): Refusal | undefined {
  if (constraint === "user_metadata_fits_a_token")
    return new Refusal(422, "User metadata may take up to 8 KB", "validation_failed");
  if (code.startsWith("22")) return new Refusal(400, "A value cannot be stored", "validation_failed");
  return undefined;
}

function asBadRequest(error: FastifyError): Refusal | undefined {
  const status = error.statusCode ?? 500;
  if (status >= 500) return undefined;
  if (status === 400) return new Refusal(400, "Could not parse request body as JSON", "bad_json");
  return new Refusal(status, error.message, "validation_failed");
}
