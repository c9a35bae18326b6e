import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../../../data/query-keys.ts";
import { openCard } from "../cards.queries.ts";

/** The target of a scanned code; visitors need no data client. */
export const scanQuery = (code: string, userId: string | null) =>
  queryOptions({
    queryKey: queryKeys.scan(code, userId),
    queryFn: async () => {
      if (userId === null) return openCard(code);
      const { supabase } = await import("../../../lib/request/supabase.ts");
      return openCard(code, supabase);
    },
    // Never cached, because the target may change; a wrong code is not retried.
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
