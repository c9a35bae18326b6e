import { randomUUID } from "node:crypto";
import fastify, { type FastifyError, type FastifyInstance, type RouteOptions } from "fastify";
import { errorBody, RequestError, RetryLaterError } from "../../shared/request-error.ts";
import type { Settings } from "../settings/settings.ts";
import { BODY_BYTES, OutOfBoundsError } from "../supabase/bounds.ts";
import { boundedServer } from "../supabase/request-bounds.ts";
import { sendFailure, serviceFailure } from "../supabase/service-failure.ts";
import type { Metrics } from "./metrics.ts";
import { type LogStream, requestIdOf, requestLog } from "./request-log.ts";
import type { Traces } from "./traces.ts";

export interface HttpOptions {
  settings: Settings;
  /** Where the log goes; standard output without it. */
  logStream?: LogStream | undefined;
  /** Absent unless metrics are enabled. */
  metrics?: Metrics | undefined;
  /** Absent without a trace collector. */
  traces?: Traces | undefined;
  /** Called with each route. */
  onRoute?: ((route: RouteOptions) => void) | undefined;
}

/** Opens an HTTP server without routes: its log, the time that it takes to stop, and its answers to errors. */
export function openHttpServer({ settings, logStream, metrics, traces, onRoute }: HttpOptions): FastifyInstance {
  const app = fastify({
    logger: requestLog(settings.LOG_LEVEL, logStream, traces?.logFields),
    trustProxy: settings.TRUST_PROXY ?? false,
    // Connections with a running request get more time, see below.
    forceCloseConnections: "idle",
    // Only a trusted proxy may set a request's id.
    genReqId: ({ headers }) => (settings.TRUST_PROXY && requestIdOf(headers["x-request-id"])) || randomUUID(),
    bodyLimit: BODY_BYTES,
    ...boundedServer,
  });
  app.addHook("preClose", (done) => {
    endConnectionsAfter(app.server, settings.STOP_SECONDS * 1000);
    done();
  });
  if (onRoute) app.addHook("onRoute", onRoute);
  metrics?.watchRequests(app);
  traces?.watchRequests(app);
  answerErrors(app);
  return app;
}

/** Must be called before plugins: they would keep the framework's handler, which reports the messages of bugs. */
function answerErrors(app: FastifyInstance) {
  app.setErrorHandler<FastifyError | RequestError>((error, request, reply) => {
    if (error instanceof RetryLaterError) reply.header("retry-after", error.retryAfter);
    if (error instanceof RequestError) return reply.code(error.status).send(errorBody(error.code, error.message));
    if (error instanceof OutOfBoundsError) return reply.code(error.status).send(errorBody("malformed", error.message));
    // Errors of other libraries carry status codes too; only ours and the framework's are meant for clients.
    if (error.code?.startsWith("FST_ERR_"))
      return reply.code(error.statusCode ?? 500).send(errorBody("malformed", error.message));
    request.log.error(error);
    const failure = serviceFailure(error);
    if (failure) return sendFailure(reply, failure);
    return reply.code(500).send({ message: "Internal error" });
  });
  // The framework's own answer and log line contain the URL.
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(errorBody("not_found", "There is nothing at this path.")),
  );
}

/** How often a closing server checks for open connections, in milliseconds. */
const LOOK_MS = 50;

/** Closes the remaining connections after `ms`; otherwise the server would wait for its slowest client. */
function endConnectionsAfter(server: FastifyInstance["server"], ms: number) {
  let timer = setTimeout(function end() {
    server.closeAllConnections();
    timer = setTimeout(end, LOOK_MS);
  }, ms);
  server.once("close", () => clearTimeout(timer));
}
