import { useSyncExternalStore } from "react";

/** How many requests have failed to reach the server and will be sent again. */
let waiting = 0;
const listeners = new Set<() => void>();

function change(by: 1 | -1) {
  waiting += by;
  for (const listener of listeners) listener();
}

/** The state of one request: `begin` when it first waits for the server, however often; `end` when it has its answer. */
export function openReconnecting() {
  let begun = false;
  return {
    begin() {
      if (!begun) change(1);
      begun = true;
    },
    end() {
      if (begun) change(-1);
    },
  };
}

export function subscribeReconnecting(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether any request waits for the server to be reachable again. */
export const isReconnecting = (): boolean => waiting > 0;

export const useReconnecting = (): boolean =>
  useSyncExternalStore(subscribeReconnecting, isReconnecting, isReconnecting);
