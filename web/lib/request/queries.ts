import type { QueryClient } from "@tanstack/react-query";
import { createStore, useStore } from "../browser/store.ts";

const { get, set, subscribe } = createStore<QueryClient | undefined>(undefined);

/** Loads the query client. It is loaded before every part that needs it; a visitor's first pages do without. */
export async function loadQueries(): Promise<QueryClient> {
  const { openQueryClient } = await import("./query-client.ts");
  const client = get() ?? openQueryClient();
  if (!get()) set(client);
  return client;
}

/** The same as `load`, for a part that reads data. */
export const withQueries =
  <Part>(load: () => Promise<Part>) =>
  async (): Promise<Part> =>
    (await Promise.all([load(), loadQueries()]))[0];

export const useLoadedQueries = (): QueryClient | undefined => useStore({ get, subscribe });
