import { useEffect, useState } from "react";
import { offline } from "./offline-state.ts";

const SLOW_MS = 5000;

/** Whether something has been awaited for so long that its copy is shown if the server cannot be reached. */
export function useSlow(isWaiting: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting || offline.get()) return;
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isSlow && isWaiting;
}
