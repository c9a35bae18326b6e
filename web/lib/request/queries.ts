import type { QueryClient } from "@tanstack/react-query";
import { createStore, useStore } from "../browser/store.ts";

const { get, set, subscribe } = createStore<QueryClient | undefined>(undefined);

/** Loads the query client. A visitor's first pages do not need it. Parts that do are loaded with it. */
export async function loadQueries(): Promise<QueryClient> {
  const { openQueryClient } = await import("./query-client.ts");
  const client = get() ?? openQueryClient();
  if (!get()) set(client);
  return client;
}

/** Wraps the loader of a part that reads data, so that the query client is loaded too. */
export const withQueries = <Part>(load: () => Promise<Part>): (() => Promise<Part>) =>
  Object.assign(async () => (await Promise.all([load(), loadQueries()]))[0], { toString: () => String(load) });

export const useLoadedQueries = (): QueryClient | undefined => useStore({ get, subscribe });
