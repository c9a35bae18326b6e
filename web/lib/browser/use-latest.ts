import { type RefObject, useLayoutEffect, useRef } from "react";

/** A ref with the last render's value, for long-lived listeners. Set before painting, so it matches the screen. */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
