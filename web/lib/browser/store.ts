import { useSyncExternalStore } from "react";

/** A value that changes, and its subscription. */
export interface Readable<T> {
  get: () => T;
  /** Calls back on every change; returns the unsubscriber. */
  subscribe: (listener: () => void) => () => void;
  /** The value for a prerendered page, and at first for the app that hydrates it; by default that of `get`. */
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
