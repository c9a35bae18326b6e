import { QueryClient } from "@tanstack/react-query";

/** The wait before data whose reload failed are read again, in milliseconds. */
const AGAIN_MS = 60_000;

/**
 * Returns a cache of fetched data, which reloads it when the page becomes visible or the network returns. The request
 * policy alone repeats a failed request. A failed query is requested again when a person asks or its page is opened anew,
 * and not whenever a part of the page mounts: a page that waits for a query which its part also uses would mount the part,
 * request, unmount it, and so on.
 */
export function newQueryClient(staleTime: number): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime,
        retry: false,
        retryOnMount: false,
        // Shown data whose reload failed are read again, because the change that they lack is not announced twice.
        refetchInterval: ({ state }) => state.error !== null && state.data !== undefined && AGAIN_MS,
      },
    },
  });
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "observerRemoved" || query.state.data !== undefined || query.state.status !== "error") return;
    // Later, because an effect that runs again removes its observer for a moment.
    setTimeout(() => query.getObserversCount() === 0 && client.getQueryCache().remove(query));
  });
  return client;
}

/** The cache of all pages, except for the contents of a link. */
export function openQueryClient(): QueryClient {
  const client = newQueryClient(30_000);
  // Data that the server put into the page is not requested again.
  const data = typeof document === "undefined" ? undefined : document.getElementById("page-data")?.textContent;
  for (const [key, answer] of JSON.parse(data ?? "[]")) client.setQueryData(key, answer);
  client.mount();
  return client;
}
