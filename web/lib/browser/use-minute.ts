import { useEffect, useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

/** The hour at which pages are prerendered: nobody knows yet where and when they are read. */
const MORNING = new Date(2026, 5, 21, 9, 30);

/** The time, renewed every minute: the sky moves on while the page is open. */
export function useMinute(): Date {
  const hydrated = useHydrated();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return hydrated ? now : MORNING;
}
