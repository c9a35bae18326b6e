import type { FastifyPluginAsync } from "fastify";
import type { Database } from "../../database/database.ts";
import type { Identify } from "../callers.ts";
import type { Tokens } from "../tokens.ts";

export interface AuthDeps {
  db: Database;
  tokens: Tokens;
  identify: Identify;
}

/** `auth/v1`: accounts and sessions. */
export const auth =
  (_deps: AuthDeps): FastifyPluginAsync =>
  async () => {};
