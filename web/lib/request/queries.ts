import type { QueryClient } from "@tanstack/react-query";
import { createStore, useStore } from "../browser/store.ts";

const { get, set, subscribe } = createStore<QueryClient | undefined>(undefined);

/** Loads the query client. Every part that needs it is loaded after it; a visitor's first pages need none. */
export async function loadQueries(): Promise<QueryClient> {
  const { openQueryClient } = await import("./query-client.ts");
  const client = get() ?? openQueryClient();
  if (!get()) set(client);
  return client;
}

/** Loads a part that reads data, after the query client. */
export const withQueries =
  <Part>(load: () => Promise<Part>) =>
  async (): Promise<Part> =>
    (await Promise.all([load(), loadQueries()]))[0];

export const useLoadedQueries = (): QueryClient | undefined => useStore({ get, subscribe });
