import { createStore, useStore } from "../browser/store.ts";

/** The number of requests that could not reach the server and will be retried. */
const waiting = createStore(0);

/** Tracks one request. Call `begin` at its first wait for the server, and `end` at the response. */
export function openReconnecting() {
  let begun = false;
  return {
    begin() {
      if (!begun) waiting.set(waiting.get() + 1);
      begun = true;
    },
    end() {
      if (begun) waiting.set(waiting.get() - 1);
    },
  };
}

/** Whether a request waits for the server. */
export const isReconnecting = (): boolean => waiting.get() > 0;

export const subscribeReconnecting = waiting.subscribe;

export const useReconnecting = (): boolean => useStore(waiting) > 0;
