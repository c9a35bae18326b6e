import type { SupabaseClient } from "../lib/request/database-client.ts";
import type { Memory, MemoryRights } from "./memories.queries.ts";

/** A memory on its page, as the page's parts get it. */
export interface MemoryContext {
  /** Reads as the person who looks at the page: the signed-in person, or the holder of a link. */
  client: SupabaseClient;
  memory: Memory;
  rights: MemoryRights;
}
