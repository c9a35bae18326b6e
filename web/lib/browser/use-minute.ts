import { useEffect, useState, useSyncExternalStore } from "react";

/** The hour at which pages are prerendered: nobody knows yet where and when they are read. */
const MORNING = new Date(2026, 5, 21, 9, 30);

const never = () => () => {};

/** The time, renewed every minute: the sky moves on while the page is open. */
export function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return hydrated ? now : MORNING;
}
