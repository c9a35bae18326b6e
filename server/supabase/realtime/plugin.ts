import type { FastifyPluginAsync } from "fastify";
import type { Database } from "../../database/database.ts";
import type { Identify } from "../callers.ts";

export interface RealtimeDeps {
  db: Database;
  identify: Identify;
}

/** `realtime/v1`: changes of rows, to whoever may see them. */
export const realtime =
  (_deps: RealtimeDeps): FastifyPluginAsync =>
  async () => {};
