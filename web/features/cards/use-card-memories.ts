import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { searchWords } from "../../../shared/search-key.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useFind } from "../../lib/browser/use-find.ts";
import { anywhere } from "../../lib/request/in-pages.ts";
import { supabase } from "../../lib/request/supabase.ts";

/** A memory that a card can open. */
export type CardMemory = Pick<
  Row<"memories">,
  "id" | "kind" | "person_name" | "birth_date" | "passing_date" | "event_date" | "share_id" | "created_at"
>;

/** The maximum number of listed memories; further ones are found by name. */
const OFFERED_MEMORIES = 50;

/**
 * The newest memories that a card can open: all published ones, or those that match `find`. Includes the chosen one.
 */
const cardMemoriesQuery = (userId: string, find: string, chosen: string | null) =>
  queryOptions({
    queryKey: queryKeys.memories(userId, "for-cards", { find, chosen }),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<CardMemory[]> => {
      const finished = () =>
        supabase
          .from("memories")
          .select("id,kind,person_name,birth_date,passing_date,event_date,share_id,created_at")
          .eq("user_id", userId)
          .eq("draft", false)
          .abortSignal(signal);
      let offered = finished();
      for (const word of searchWords(find)) offered = offered.like("name_key", anywhere(word));
      const [newest, own] = await Promise.all([
        offered.order("created_at", { ascending: false }).order("id").limit(OFFERED_MEMORIES),
        chosen ? finished().eq("id", chosen) : undefined,
      ]);
      const error = newest.error ?? own?.error;
      if (error) throw new Error("Failed to load memories", { cause: error });
      const first = own?.data?.filter(({ id }) => !newest.data?.some((other) => other.id === id)) ?? [];
      return [...first, ...(newest.data ?? [])];
    },
  });

/** Returns the memories that a card can open, and a search if there are more than the listed ones. */
export function useCardMemories(userId: string, chosen: string | null) {
  const { text, find, setText } = useFind(false);
  const { data: memories } = useQuery(cardMemoriesQuery(userId, find, chosen));
  const isLong = text !== "" || find !== "" || (memories?.length ?? 0) >= OFFERED_MEMORIES;
  return { memories, search: isLong ? { text, find, setText } : undefined };
}

export type MemorySearch = ReturnType<typeof useCardMemories>["search"];
