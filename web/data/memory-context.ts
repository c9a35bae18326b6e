import type { SupabaseClient } from "../lib/request/database-client.ts";
import type { Memory, MemoryRights } from "./memories.queries.ts";

/** A memory on its page, as the page's parts get it. */
export interface MemoryContext {
  /** Has the access of the page's reader: the signed-in person, or a link's visitor. */
  client: SupabaseClient;
  memory: Memory;
  rights: MemoryRights;
}
