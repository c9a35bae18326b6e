import { QueryClient } from "@tanstack/react-query";

/** Keeps what was read of the data; asks again when somebody comes back to the page or to the network. */
export function openQueryClient(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });
  client.mount();
  return client;
}
