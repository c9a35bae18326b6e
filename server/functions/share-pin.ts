import type { Database } from "../database/database.ts";
import type { Identify } from "../supabase/callers.ts";
import type { ServerFunction } from "./mount.ts";

interface Deps {
  db: Database;
  identify: Identify;
  pinSecret: Uint8Array;
}

/** POST /functions/v1/share-pin */
export const sharePin =
  (_deps: Deps): ServerFunction =>
  async () => {
    throw new Error("not yet");
  };
