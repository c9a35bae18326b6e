import { QueryClient } from "@tanstack/react-query";

/** Caches fetched data. Reloads it when the page becomes visible or the network returns. */
export function openQueryClient(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });
  // Data that the server put into the page is not requested again.
  const data = typeof document === "undefined" ? undefined : document.getElementById("page-data")?.textContent;
  for (const [key, answer] of JSON.parse(data ?? "[]")) client.setQueryData(key, answer);
  client.mount();
  return client;
}
