import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { codeOf, errorBody, RequestError, RetryLaterError } from "../../shared/request-error.ts";
import { isSqlError } from "../database/database.ts";
import { untrustedProxy } from "../http/untrusted-proxy.ts";
import type { Services } from "../services.ts";
import { checkJson, OutOfBoundsError, zeroByte } from "../supabase/bounds.ts";
import { BadBearerError, optionalCaller } from "../supabase/callers.ts";
import { foreignRefusal } from "../supabase/foreign-pages.ts";
import { answerUnknownPaths } from "../supabase/request-bounds.ts";
import { retryAfterOf } from "../supabase/service-failure.ts";
import type { AccessCheck } from "../supabase/stream-guard.ts";
import type { Endpoint, FileEndpoint, Received } from "./endpoint.ts";
import { readBody } from "./request-body.ts";
import { signedInPerson } from "./signed-in-person.ts";

/** Compresses responses above this size in bytes. */
const PACKED = { compress: { threshold: 2048 } };

/** The maximum body in bytes; functions take a few lines of JSON. */
const BODY_LIMIT = 256 * 1024;

/**
 * Serves endpoints under their names, with the interface of a serverless host: endpoints with a body by `POST`, and
 * files by `GET` and `HEAD`, whose responses are streamed.
 */
export const mountFunctions =
  (endpoints: Record<string, Endpoint>, files: Record<string, FileEndpoint>, services: Services): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    for (const [name, endpoint] of Object.entries(endpoints)) {
      if (endpoint.needs && !services[endpoint.needs]) continue;
      app.post(`/${name}`, PACKED, async (request, reply) => {
        const body = request.body as Buffer | undefined;
        const response = await answer(async () => {
          if (endpoint.ownPagesOnly && services.isForeign(request)) throw foreignRefusal();
          // A form body is allowed too; it cannot be nested.
          if (body) checkJson(body.toString("utf8"));
          return run(endpoint, services, {
            request: webRequest(request, body),
            address: request.ip,
            untrustedProxy: untrustedProxy(request),
          });
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
          const watch = (check: AccessCheck) => services.streams.watch(reply.raw, check);
          return answer(() => run({ ...services, request: webRequest(request), watch }));
        },
      });
    }
    answerUnknownPaths(app, async (_request, reply) =>
      reply.code(404).send(errorBody("not_found", "There is no such function.")),
    );
  };

/** Identifies the caller, reads the body, and runs the handler. */
async function run(endpoint: Endpoint, services: Services, received: Received): Promise<Response> {
  const { request } = received;
  const caller = () => identified(endpoint, services, request);
  const body = async () => ({ body: endpoint.body && (await readBody(request, endpoint.body)) });
  // Strangers learn nothing about the body of an endpoint that is not for them.
  const input =
    endpoint.caller === "optional"
      ? { ...(await body()), ...(await caller()) }
      : { ...(await caller()), ...(await body()) };
  const result = await endpoint.handler({ ...services, ...received, ...input } as never);
  return result instanceof Response ? result : Response.json(result);
}

async function identified({ caller, signInMessage }: Endpoint, { accounts }: Services, request: Request) {
  const authorization = request.headers.get("authorization") ?? undefined;
  switch (caller) {
    case "unidentified":
      return {};
    case "optional":
      return { caller: await optionalCaller(accounts.identify, authorization) };
    case "anyone":
      return { caller: await accounts.identify({ authorization }) };
    case "person":
    case "staff": {
      const identity = await accounts.identify({ authorization });
      if (identity.role === "anon") throw new RequestError("not_signed_in");
      return { caller: identity };
    }
    case "account":
      return { person: await signedInPerson(accounts, request, signInMessage) };
  }
}

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
  if (error instanceof BadBearerError) return Response.json(errorBody("bad_jwt", error.message), { status: 401 });
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
    return Response.json(errorBody("malformed", error.message), { status: error.status });
  }
  if (!(error instanceof RequestError)) throw error;
  const { message, code, details, status } = error;
  const response = Response.json({ message, code, ...details }, { status });
  if (error instanceof RetryLaterError) response.headers.set("retry-after", `${error.retryAfter}`);
  return response;
}
