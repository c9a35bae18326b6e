import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Changes } from "../lib/request/change-channel.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { useRowChanges } from "../lib/request/use-row-changes.ts";
import { refresh } from "./query-keys.ts";

/** A mutation that reloads data with these keys or key prefixes, whether it succeeded or failed. */
export function useRefreshingMutation<Wish = void, Kept = void>(
  keys: readonly QueryKey[],
  mutationFn: (wish: Wish) => Promise<Kept>,
) {
  const cache = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => refresh(cache, ...keys) });
}

/** Reads shown data with these keys or key prefixes again after rows of these kinds have changed. */
export function useRefreshedData(client: SupabaseClient, changes: readonly Changes[], keys: readonly QueryKey[]) {
  const cache = useQueryClient();
  useRowChanges(client, changes, () => void refresh(cache, ...keys));
}
