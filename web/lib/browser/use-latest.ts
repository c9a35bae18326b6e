import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * A reference that always holds the value of the last rendering, for listeners that outlive one.
 * It is set before the page is painted, so a key pressed on what one sees acts on what one sees.
 */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
