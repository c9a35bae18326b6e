import { QueryClient } from "@tanstack/react-query";

/** Caches fetched data; refetches when the person returns to the page or the network is back. */
export function openQueryClient(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });
  // What the server has read for the page is not asked for again.
  const data = typeof document === "undefined" ? undefined : document.getElementById("page-data")?.textContent;
  for (const [key, answer] of JSON.parse(data ?? "[]")) client.setQueryData(key, answer);
  client.mount();
  return client;
}
