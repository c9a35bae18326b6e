import { useEffect, useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

/** The time for prerendered pages: the reader's time and place are unknown. */
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
