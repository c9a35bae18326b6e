import type { FastifyInstance } from "fastify";

/** Requests that a limit refused, by the part of the server, since they were last taken. */
export interface RefusalCount {
  /** Counts every answer 429. To be called before any route is added. */
  install(app: FastifyInstance): void;
  /** Hands over what was counted, and begins anew. */
  take(): Record<string, number>;
  /** Adds what was taken and could not be kept. */
  putBack(counts: Record<string, number>): void;
}

/** Counts refusals in the memory of this process. Of a path no more is kept than the part of the server. */
export function refusalCount(): RefusalCount {
  let counts: Record<string, number> = {};
  const add = (area: string, many: number) => {
    counts[area] = (counts[area] ?? 0) + many;
  };
  return {
    install(app) {
      app.addHook("onResponse", (request, reply, done) => {
        if (reply.statusCode === 429) add(/^\/(\w+)\/v1\//.exec(request.url)?.[1] ?? "pages", 1);
        done();
      });
    },
    take() {
      const taken = counts;
      counts = {};
      return taken;
    },
    putBack(taken) {
      for (const [area, many] of Object.entries(taken)) add(area, many);
    },
  };
}
