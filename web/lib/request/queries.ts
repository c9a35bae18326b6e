import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

let client: QueryClient | undefined;
const listeners = new Set<() => void>();

/** Loads what reads and keeps data. It comes before every part that does; a visitor's first pages do without. */
export async function loadQueries(): Promise<QueryClient> {
  const { openQueryClient } = await import("./query-client.ts");
  if (client) return client;
  client = openQueryClient();
  for (const listener of listeners) listener();
  return client;
}

/** The same as `load`, for a part that reads data. */
export const withQueries =
  <Part>(load: () => Promise<Part>) =>
  async (): Promise<Part> =>
    (await Promise.all([load(), loadQueries()]))[0];

const current = () => client;
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLoadedQueries = (): QueryClient | undefined => useSyncExternalStore(subscribe, current, current);
