import { useSyncExternalStore } from "react";

/** A value that changes, and a way to hear of it. */
export interface Readable<T> {
  get: () => T;
  /** Calls back on every change; gives what ends that. */
  subscribe: (listener: () => void) => () => void;
}

export interface Store<T> extends Readable<T> {
  set: (next: T) => void;
}

/** A value outside of components, which they follow with {@link useStore}. */
export function createStore<T>(initial: T): Store<T> {
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
  };
}

/** What a store holds; while a prerendered page is taken over, `first`, where the store may hold what only this browser knows. */
export const useStore = <T>({ get, subscribe }: Readable<T>, first?: T): T =>
  useSyncExternalStore(subscribe, get, () => first ?? get());
