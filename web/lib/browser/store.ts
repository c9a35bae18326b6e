import { useSyncExternalStore } from "react";

/** A changing value with subscription. */
export interface Readable<T> {
  get: () => T;
  /** Calls back on every change; returns the unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
  /** The value for prerendering and hydration; by default that of `get`. */
  prerendered?: () => T;
}

export interface Store<T> extends Readable<T> {
  set: (next: T) => void;
}

/** A value outside of components, read with {@link useStore}. `prerendered` is its value for prerendering. */
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

export const useStore = <T>({ get, subscribe, prerendered = get }: Readable<T>): T =>
  useSyncExternalStore(subscribe, get, prerendered);
