import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChangeBinding } from "../lib/request/change-channel.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { useRowChanges } from "../lib/request/use-row-changes.ts";

/** A mutation that reloads the data of these keys or key prefixes, also after a failure. */
export function useRefreshingMutation<Variables = void, Result = void>(
  keys: readonly QueryKey[],
  mutationFn: (variables: Variables) => Promise<Result>,
) {
  const cache = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => refresh(cache, ...keys) });
}

/** Reloads shown data of these keys or key prefixes when rows of these kinds have changed. */
export function useRefreshedData(
  client: SupabaseClient,
  bindings: readonly ChangeBinding[],
  keys: readonly QueryKey[],
) {
  const cache = useQueryClient();
  useRowChanges(client, bindings, () => void refresh(cache, ...keys));
}
