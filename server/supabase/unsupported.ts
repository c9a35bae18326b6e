import type { FastifyInstance } from "fastify";

/** A part of the hosted platform's protocol that this server does not offer. */
export interface UnsupportedPart {
  /** Matches the path below the API's prefix, without the query. */
  path: RegExp;
  /** The methods that are refused; if absent, all. */
  methods?: readonly string[];
  /** A sentence for the developer of the client. */
  message: string;
}

/**
 * Refuses requests to parts that the server does not offer, before any work for them. Otherwise they would reach a route
 * with parameters, e.g. as an upload to a bucket called `upload`, and get that route's error.
 */
export function refuseUnsupported(
  app: FastifyInstance,
  parts: readonly UnsupportedPart[],
  refusal: (message: string) => Error,
) {
  app.addHook("onRequest", async ({ method, url }) => {
    const path = url.slice(app.prefix.length).split("?", 1)[0] ?? "";
    const part = parts.find(({ path: pattern, methods }) => pattern.test(path) && (methods?.includes(method) ?? true));
    if (part) throw refusal(part.message);
  });
}
