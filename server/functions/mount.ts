import type { FastifyPluginAsync } from "fastify";
import { Refusal } from "../../shared/refusal.ts";
import { BadBearer } from "../supabase/callers.ts";

/** A web-standard function; its caller's address comes beside the request, for counting tries. */
export type ServerFunction = (request: Request, context: { address: string }) => Promise<Response>;

/** Bytes; every function takes a few lines of JSON. */
const BODY_LIMIT = 256 * 1024;

/** Serves functions by their names, unchanged from how a serverless host would call them. */
export const mountFunctions =
  (functions: Record<string, ServerFunction>): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    for (const [name, run] of Object.entries(functions)) {
      app.post(`/${name}`, async (request, reply) => {
        const body = request.body as Buffer | undefined;
        const response = await run(
          new Request(`${request.protocol}://${request.host}${request.url}`, {
            method: "POST",
            headers: Object.entries(request.headers).flatMap(([key, value]): [string, string][] =>
              value === undefined ? [] : [[key, String(value)]],
            ),
            body: body ? new Uint8Array(body) : undefined,
          }),
          { address: request.ip },
        ).catch(refused);
        reply.code(response.status).headers(Object.fromEntries(response.headers));
        return reply.send(Buffer.from(await response.arrayBuffer()));
      });
    }
  };

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
