import { useSyncExternalStore } from "react";

/** A value that changes, and a way to hear of it. */
export interface Readable<T> {
  get: () => T;
  /** Calls back on every change; gives what ends that. */
  subscribe: (listener: () => void) => () => void;
  /** What a prerendered page shows, and the app at first where it takes such a page over; left out, what `get` gives. */
  prerendered?: () => T;
}

export interface Store<T> extends Readable<T> {
  set: (next: T) => void;
}

/** A value outside of components, which they follow with {@link useStore}; `prerendered` is what no browser has changed. */
export function createStore<T>(initial: T, prerendered = initial): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    prerendered: () => prerendered,
  };
}

/** What a store holds. */
export const useStore = <T>({ get, subscribe, prerendered = get }: Readable<T>): T =>
  useSyncExternalStore(subscribe, get, prerendered);
