import { useQuery } from "@tanstack/react-query";
import { memoryKindQuery } from "../data/memories.queries.ts";
import { supabase } from "../lib/request/supabase.ts";

/** Spec §2: what the navigation calls a person's memories; Collections for people whose memories are all events. */
export function useMemoriesLabel(userId: string): "memories" | "collections" {
  return useQuery(memoryKindQuery(supabase, userId)).data === "event" ? "collections" : "memories";
}
