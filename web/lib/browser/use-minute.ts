import { useEffect, useState } from "react";
import { serverNow } from "../request/server-clock.ts";

/** The current time by the server's clock, updated every minute. */
export function useMinute(): Date {
  const [now, setNow] = useState(() => new Date(serverNow()));
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date(serverNow())), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
