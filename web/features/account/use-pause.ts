import { useCallback, useEffect, useState } from "react";

/** Seconds that are left until something may be asked for again, and what starts them anew. */
export function usePause(seconds: number): [left: number, start: () => void] {
  const [until, setUntil] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return [left, useCallback(() => setUntil(Date.now() + seconds * 1000), [seconds])];
}
