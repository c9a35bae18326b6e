import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";

type StoredReaction = Pick<Row<"reactions">, "id" | "memory_id" | "media_id" | "comment_id" | "kind">;

/** Stores a person's reaction, or removes it if `taken`. Each person has at most one of a kind. */
export async function saveReaction(client: SupabaseClient, reaction: StoredReaction, taken: boolean): Promise<void> {
  const { id, memory_id, media_id, comment_id, kind } = reaction;
  const { error } = taken
    ? await client.from("reactions").delete().eq("id", id)
    : await client
        .from("reactions")
        .upsert({ id, memory_id, media_id, comment_id, kind }, { onConflict: "id", ignoreDuplicates: true });
  // 23505: the reaction exists already, e.g. from another window.
  if (error && error.code !== "23505") throw new Error("Failed to react", { cause: error });
}
