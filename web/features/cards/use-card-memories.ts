import { useQuery } from "@tanstack/react-query";
import { useFind } from "../../lib/browser/use-find.ts";
import { cardMemoriesQuery, OFFERED_MEMORIES } from "./cards.queries.ts";

/** The memories that a card can open, and a search where not all of them are offered at once. */
export function useCardMemories(userId: string | null, chosen: string | null) {
  const { text, find, setText } = useFind(false);
  const { data: memories } = useQuery(cardMemoriesQuery(userId, find, chosen));
  const isLong = text !== "" || find !== "" || (memories?.length ?? 0) >= OFFERED_MEMORIES;
  return { memories, search: isLong ? { text, find, setText } : undefined };
}

export type MemorySearch = ReturnType<typeof useCardMemories>["search"];
