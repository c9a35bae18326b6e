import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False while a prerendered page is rendered and hydrated, then true: browser-only values may be shown. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
