import type { Database } from "../database/database.ts";
import type { Identify } from "../supabase/callers.ts";
import type { Tokens } from "../supabase/tokens.ts";
import type { ServerFunction } from "./mount.ts";

interface Deps {
  db: Database;
  tokens: Tokens;
  identify: Identify;
  pinSecret: Uint8Array;
}

/** POST /functions/v1/open-share */
export const openShare =
  (_deps: Deps): ServerFunction =>
  async () => {
    throw new Error("not yet");
  };
