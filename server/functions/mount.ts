import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { codeOf, errorBody, RequestError, RetryLaterError } from "../../shared/request-error.ts";
import { isSqlError } from "../database/database.ts";
import { untrustedProxy } from "../http/untrusted-proxy.ts";
import { checkJson, OutOfBoundsError, zeroByte } from "../supabase/bounds.ts";
import { BadBearerError } from "../supabase/callers.ts";
import { foreignRefusal, type IsForeign } from "../supabase/foreign-pages.ts";
import { answerUnknownPaths } from "../supabase/request-bounds.ts";
import { retryAfterOf } from "../supabase/service-failure.ts";
import type { AccessCheck, StreamGuard } from "../supabase/stream-guard.ts";

/** What a function learns of its connection. */
export interface Connection {
  /** The client's address, for rate limits. */
  address: string;
  /** The address of a proxy that `TRUST_PROXY` does not name. */
  untrustedProxy?: string | undefined;
}

/** A web-standard function with its connection as second argument. */
export type ServerFunction = (request: Request, connection: Connection) => Promise<Response>;

/** A function with a long response. It passes `watch` the check that may end the response. */
export type FileFunction = (
  request: Request,
  context: { address: string; watch(check: AccessCheck): void },
) => Promise<Response>;

interface MountDeps {
  streams: StreamGuard;
  /** Names of the functions that count attempts or use a cookie, which other sites' pages must not call. */
  counted: ReadonlySet<string>;
  /** Whether another site's page made a browser send a request. */
  isForeign: IsForeign;
}

/** Compresses responses above this size in bytes. */
const PACKED = { compress: { threshold: 2048 } };

/** The maximum body in bytes; functions take a few lines of JSON. */
const BODY_LIMIT = 256 * 1024;

/**
 * Serves functions under their names, with the interface of a serverless host: functions with a body by `POST`, and
 * files by `GET` and `HEAD`, whose responses are streamed.
 */
export const mountFunctions =
  (
    functions: Record<string, ServerFunction>,
    files: Record<string, FileFunction>,
    { streams, counted, isForeign }: MountDeps,
  ): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    for (const [name, run] of Object.entries(functions)) {
      app.post(`/${name}`, PACKED, async (request, reply) => {
        const body = request.body as Buffer | undefined;
        const response = await answer(async () => {
          if (counted.has(name) && isForeign(request)) throw foreignRefusal();
          // A form body is allowed too; it cannot be nested.
          if (body) checkJson(body.toString("utf8"));
          return run(webRequest(request, body), { address: request.ip, untrustedProxy: untrustedProxy(request) });
        });
        const { "set-cookie": _last, ...headers } = Object.fromEntries(response.headers);
        reply.code(response.status).headers(headers);
        const cookies = response.headers.getSetCookie();
        if (cookies.length > 0) reply.header("set-cookie", cookies);
        return reply.send(Buffer.from(await response.arrayBuffer()));
      });
    }
    for (const [name, run] of Object.entries(files)) {
      app.route({
        method: ["GET", "HEAD"],
        url: `/${name}`,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const watch = (check: AccessCheck) => streams.watch(reply.raw, check);
          return answer(() => run(webRequest(request), { address: request.ip, watch }));
        },
      });
    }
    answerUnknownPaths(app, async (_request, reply) =>
      reply.code(404).send(errorBody("not_found", "There is no such function.")),
    );
  };

const webRequest = (request: FastifyRequest, body?: Buffer) =>
  new Request(`${request.protocol}://${request.host || "localhost"}${request.url}`, {
    method: request.method,
    headers: Object.entries(request.headers).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    ),
    body: body ? new Uint8Array(body) : undefined,
  });

const REFUSED_BY_SQL = /^PT4\d\d$/;

const answer = (run: () => Promise<Response>) => run().catch(refused);

/** PostgreSQL's errors for a zero byte, in text and in JSON: the request's fault. */
const ZERO_BYTE = new Set(["22021", "22P05"]);

/** Returns the response for a refusal. Other errors are bugs and are rethrown. */
function refused(error: unknown): Response {
  const headers = { "cache-control": "no-store" };
  if (error instanceof BadBearerError) {
    return Response.json(errorBody("bad_jwt", error.message), { status: 401, headers });
  }
  if (isSqlError(error) && ZERO_BYTE.has(error.code)) return refused(zeroByte("body"));
  // The database's functions put the status into the error's code and the reason into its hint.
  if (isSqlError(error) && REFUSED_BY_SQL.test(error.code)) {
    const { message, code, hint } = error;
    const seconds = retryAfterOf(error);
    return refused(
      seconds === undefined
        ? new RequestError(codeOf(hint), { message, status: Number(code.slice(2)) })
        : new RetryLaterError(codeOf(hint), seconds, { message }),
    );
  }
  if (error instanceof OutOfBoundsError) {
    return Response.json(errorBody("malformed", error.message), { status: error.status, headers });
  }
  if (!(error instanceof RequestError)) throw error;
  const { message, code, details, status } = error;
  const response = Response.json({ message, code, ...details }, { status, headers });
  if (error instanceof RetryLaterError) response.headers.set("retry-after", `${error.retryAfter}`);
  return response;
}
