import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * A ref with the value of the last render, for listeners that outlive one. It is set before painting, so that events
 * apply to what is shown.
 */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
