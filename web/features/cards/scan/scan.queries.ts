import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../../../data/query-keys.ts";
import { openCard } from "../cards.queries.ts";

/** Where a scanned code leads, for somebody signed in or for a visitor, who does without the data client. */
export const scanQuery = (code: string, userId: string | null) =>
  queryOptions({
    queryKey: queryKeys.scan(code, userId),
    queryFn: async () => {
      if (userId === null) return openCard(code);
      const { supabase } = await import("../../../lib/request/supabase.ts");
      return openCard(code, supabase);
    },
    // What it leads to may change while one looks at something else; a wrong code is not tried again by itself.
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
