import { QueryClient } from "@tanstack/react-query";

/**
 * Caches fetched data. Reloads it when the page becomes visible or the network returns. A failed query is requested again
 * when a person asks or its page is opened anew, and not whenever a part of the page mounts: a page that waits for a query
 * which its part also uses would mount the part, request, unmount it, and so on.
 */
export function openQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: 30_000, retry: false, retryOnMount: false } },
  });
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "observerRemoved" || query.state.data !== undefined || query.state.status !== "error") return;
    // Later, because an effect that runs again removes its observer for a moment.
    setTimeout(() => query.getObserversCount() === 0 && client.getQueryCache().remove(query));
  });
  // Data that the server put into the page is not requested again.
  const data = typeof document === "undefined" ? undefined : document.getElementById("page-data")?.textContent;
  for (const [key, answer] of JSON.parse(data ?? "[]")) client.setQueryData(key, answer);
  client.mount();
  return client;
}
