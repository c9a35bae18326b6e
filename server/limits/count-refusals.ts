import type { FastifyInstance } from "fastify";

/** Requests refused by limits since the last call of `take`, by part of the server. */
export interface RefusalCount {
  /** Counts every answer 429. Must be called before routes are added. */
  install(app: FastifyInstance): void;
  /** Returns the counts and resets them. */
  take(): Record<string, number>;
  /** Adds counts that could not be stored. */
  putBack(counts: Record<string, number>): void;
}

/** Keeps the counts in the memory of this process. Of a path, only the part of the server is stored. */
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
      const oldCounts = counts;
      counts = {};
      return oldCounts;
    },
    putBack(taken) {
      for (const [area, many] of Object.entries(taken)) add(area, many);
    },
  };
}
