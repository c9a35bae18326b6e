import type { OpenSession } from "../../data/share-state.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** Whose copies a page belongs to. */
export interface CopyOwner {
  kind: "link" | "member";
  cacheName: string;
  /** The id of the account or link, which its signed URLs name. */
  id: string;
  /** What a link's page needs to open without a network. */
  session?: OpenSession;
  shareId?: string;
  client?: SupabaseClient;
}
