import type { FastifyPluginAsync } from "fastify";
import { Refusal } from "../../shared/refusal.ts";

/** A web-standard function; its caller's address comes beside the request, for counting tries. */
export type ServerFunction = (request: Request, context: { address: string }) => Promise<Response>;

/** Serves functions by their names, unchanged from how a serverless host would call them. */
export const mountFunctions =
  (functions: Record<string, ServerFunction>): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 1024 * 1024 }, (_request, body, done) =>
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
        ).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          const { message, code, details } = error;
          return Response.json({ message, code, ...details }, { status: error.status });
        });
        reply.code(response.status).headers(Object.fromEntries(response.headers));
        return reply.send(Buffer.from(await response.arrayBuffer()));
      });
    }
  };
