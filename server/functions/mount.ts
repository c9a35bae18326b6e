import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { Refusal } from "../../shared/refusal.ts";
import { BadBearer } from "../supabase/callers.ts";

/** A web-standard function; its caller's address comes beside the request, for counting tries. */
export type ServerFunction = (request: Request, context: { address: string }) => Promise<Response>;

/** Bytes; every function takes a few lines of JSON. */
const BODY_LIMIT = 256 * 1024;

/**
 * Serves functions by their names, unchanged from how a serverless host would call them: those that take a body by `POST`,
 * and files by `GET` and `HEAD`, whose answers go out as they are made.
 */
export const mountFunctions =
  (functions: Record<string, ServerFunction>, files: Record<string, ServerFunction> = {}): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    for (const [name, run] of Object.entries(functions)) {
      app.post(`/${name}`, async (request, reply) => {
        const body = request.body as Buffer | undefined;
        const response = await run(webRequest(request, body), { address: request.ip }).catch(refused);
        reply.code(response.status).headers(Object.fromEntries(response.headers));
        return reply.send(Buffer.from(await response.arrayBuffer()));
      });
    }
    for (const [name, run] of Object.entries(files)) {
      app.route({
        method: ["GET", "HEAD"],
        url: `/${name}`,
        exposeHeadRoute: false,
        handler: async (request) => run(webRequest(request), { address: request.ip }).catch(refused),
      });
    }
  };

const webRequest = (request: FastifyRequest, body?: Buffer) =>
  new Request(`${request.protocol}://${request.host}${request.url}`, {
    method: request.method,
    headers: Object.entries(request.headers).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    ),
    body: body ? new Uint8Array(body) : undefined,
  });

/** What a function refuses, in the body that every function's callers read; anything else is a bug and goes on. */
function refused(error: unknown): Response {
  const headers = { "cache-control": "no-store" };
  if (error instanceof BadBearer) {
    return Response.json({ message: error.message, code: "bad_jwt" }, { status: 401, headers });
  }
  if (!(error instanceof Refusal)) throw error;
  const { message, code, details, status } = error;
  return Response.json({ message, code, ...details }, { status, headers });
}
