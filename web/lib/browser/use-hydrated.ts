import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False while a prerendered page is rendered and taken over, then true: what only this browser knows may be shown. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
