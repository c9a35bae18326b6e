import type { Query, QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";

/** Reloads shown data with these keys or key prefixes; `[]` is the prefix of all. */
export const refresh = (cache: QueryClient, ...keys: readonly QueryKey[]) =>
  Promise.all(keys.map((queryKey) => refreshMatching(cache, { queryKey })));

const RECENT_MS = 10_000;
let leavesFailures = false;

/**
 * Calls a function whose reloads leave out reads that have just failed. A page's connection for changes opens after its
 * reads, and would repeat each failed one: six attempts for a server in trouble instead of three.
 */
export function leavingFailures(call: () => void): void {
  leavesFailures = true;
  try {
    call();
  } finally {
    leavesFailures = false;
  }
}

const hasJustFailed = ({ state }: Query) =>
  state.status === "error" && state.data === undefined && Date.now() - state.errorUpdatedAt < RECENT_MS;

/**
 * Reloads the shown data that a filter matches. A first read that is still running may have been answered before the
 * change, and an invalidation has no effect on it, so that it is followed by another, unless it fails.
 */
export async function refreshMatching(cache: QueryClient, filters: QueryFilters): Promise<void> {
  const firstReads = new Set(
    cache
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: "fetching" })
      .filter(({ state }) => state.data === undefined),
  );
  const running = [...firstReads].map(({ promise }) => promise);
  const { predicate } = filters;
  await cache.invalidateQueries(
    leavesFailures
      ? { ...filters, predicate: (query) => !hasJustFailed(query) && (predicate?.(query) ?? true) }
      : filters,
  );
  if (running.length === 0) return;
  await Promise.allSettled(running);
  await cache.invalidateQueries({ predicate: (query) => firstReads.has(query) && query.state.status !== "error" });
}

/** Changes the data of a query, if loaded. A running read may be older than the change, so it is followed by another. */
export function changeData<Data>(cache: QueryClient, queryKey: QueryKey, change: (before: Data) => Data): void {
  cache.setQueryData<Data>(queryKey, (before) => before && change(before));
  if (cache.isFetching({ queryKey, exact: true }) > 0) void refresh(cache, queryKey);
}
