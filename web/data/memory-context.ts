import type { SupabaseClient } from "../lib/request/database-client.ts";
import type { Memory, MemoryRights } from "./memories.queries.ts";

/** A memory and its reader's access, for the parts of its page. */
export interface MemoryContext {
  /** A client with the access of the reader: the signed-in person or a link's visitor. */
  client: SupabaseClient;
  memory: Memory;
  rights: MemoryRights;
}
