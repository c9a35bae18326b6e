import { useEffect, useRef, useState } from "react";
import { share } from "../../../../shared/file-numbers.ts";

/** A smaller progress says too little about the speed. */
const LEAST_PROGRESS = 0.005;
const MINUTE_MS = 60_000;

/**
 * The whole minutes until work ends, from its progress (0 to 1) since it was first seen here; 0 for less than one.
 * Undefined until the progress has moved.
 */
export function useMinutesLeft(progress: number | null): number | undefined {
  const begin = useRef<{ progress: number; at: number }>(undefined);
  const [minutes, setMinutes] = useState<number>();
  useEffect(() => {
    const now = performance.now();
    if (progress === null || !begin.current || progress < begin.current.progress) {
      begin.current = progress === null ? undefined : { progress, at: now };
      setMinutes(undefined);
      return;
    }
    setMinutes(minutesLeft(begin.current, { progress, at: now }) ?? undefined);
  }, [progress]);
  return minutes;
}

/** The whole minutes until the progress is 1, by its speed between two times in milliseconds. */
export function minutesLeft(
  from: { progress: number; at: number },
  to: { progress: number; at: number },
): number | undefined {
  const done = share(to.progress) - share(from.progress);
  if (done < LEAST_PROGRESS) return undefined;
  return Math.round(((1 - share(to.progress)) * (to.at - from.at)) / done / MINUTE_MS);
}
