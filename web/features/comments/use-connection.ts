import { useEffect, useState } from "react";

/** A connection that is back at once is nothing to tell anybody. */
const PATIENCE_MS = 3000;

/** Whether it has been long enough without a connection to say so, and what tells of it. */
export function useConnection() {
  const [connected, setConnected] = useState(true);
  const [missed, setMissed] = useState(false);
  useEffect(() => {
    if (connected) return setMissed(false);
    const timer = setTimeout(() => setMissed(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connected]);
  return { missed, setConnected };
}
