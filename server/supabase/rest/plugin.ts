import type { FastifyPluginAsync } from "fastify";
import type { Database } from "../../database/database.ts";
import type { Identify } from "../callers.ts";

export interface RestDeps {
  db: Database;
  identify: Identify;
  /** By the name of a column's domain type: cleans a value before it becomes a parameter. */
  cleaners: Record<string, (value: string) => string>;
}

/** `rest/v1`: tables and functions, as the catalogue describes them and row policies allow. */
export const rest =
  (_deps: RestDeps): FastifyPluginAsync =>
  async () => {};
