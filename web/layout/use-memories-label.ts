import { useQuery } from "@tanstack/react-query";
import { memoriesQuery } from "../features/memories/memories.queries.ts";
import { supabase } from "../lib/supabase.ts";
import { memoriesLabel } from "./memories-label.ts";

/** Spec §2: what the navigation calls a person's memories. */
export function useMemoriesLabel(userId: string): "memories" | "collections" {
  const { data } = useQuery(memoriesQuery(supabase, userId));
  return memoriesLabel(data ?? []);
}
