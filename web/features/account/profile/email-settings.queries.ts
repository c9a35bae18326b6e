import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "../../../data/query-keys.ts";
import { optimisticUpdate } from "../../../lib/request/optimistic-update.ts";
import { supabase } from "../../../lib/request/supabase.ts";

/** Whether the person's own address takes letters that other people cause. Without a row it does. */
export const emailSettingsQuery = (email: string) =>
  queryOptions({
    queryKey: queryKeys.emailWishes(email),
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data, error } = await supabase
        .from("email_preferences")
        .select("unsubscribed")
        .eq("email", email.toLowerCase())
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return !(data?.unsubscribed ?? false);
    },
  });

/** Takes letters from other people, or does not; the switch shows it at once and goes back if it could not be kept. */
export function useSetEmailSettings(email: string) {
  const cache = useQueryClient();
  const { queryKey } = emailSettingsQuery(email);
  return useMutation({
    mutationFn: async (wanted: boolean) => {
      const row = { email: email.toLowerCase(), unsubscribed: !wanted };
      const { error } = await supabase.from("email_preferences").upsert(row);
      if (error) throw error;
    },
    ...optimisticUpdate(cache, { queryKey, change: (_known: boolean, wanted: boolean) => wanted }),
  });
}
