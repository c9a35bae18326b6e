import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Database } from "../../../shared/database.ts";
import { datedSearch } from "../../../shared/search-dates.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

export type SearchResult = Database["public"]["Functions"]["search"]["Returns"][number];
export type ResultKind = SearchResult["kind"];

/** Results of a group before "Show all", and at most. */
export const GROUP_SIZE = 6;
export const MOST_RESULTS = 60;

export interface SearchScope {
  /** The memory to search in; null for everything that the reader sees. */
  memoryId: string | null;
  /** The only kind of results; null for a few of every kind. */
  kind: ResultKind | null;
}

/** Whether a text is long enough to search for: two letters, or one character of a script with words of one. */
export const isSearchable = (text: string) => text.trim().length > 1 || /[\u0250-\uffff]/.test(text);

/** The results of a search in all kinds of things, by kind. */
export const searchQuery = (client: SupabaseClient, find: string, { memoryId, kind }: SearchScope) =>
  queryOptions({
    queryKey: queryKeys.search(memoryId, find, kind),
    queryFn: async ({ signal }): Promise<SearchResult[]> => {
      const { dates, rest } = datedSearch(find);
      return client
        .rpc("search", {
          find,
          ...(dates && {
            rest,
            ...(dates.since && { since: dates.since }),
            ...(dates.until && { until: dates.until }),
            ...(dates.within && { within: true }),
            ...(dates.monthDay && { month_day: dates.monthDay }),
          }),
          ...(memoryId && { memory: memoryId }),
          ...(kind && { kinds: [kind], most: MOST_RESULTS }),
        })
        .abortSignal(signal)
        .then(unwrap("Failed to search"));
    },
    enabled: isSearchable(find),
    // The results of the letters before stay until those of the next ones have arrived.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
