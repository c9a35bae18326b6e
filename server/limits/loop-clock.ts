import { openSync, readSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** Who is charged for the main thread's work. */
export interface LoopOwner {
  /** Charges milliseconds of processor time of the main thread. */
  chargeLoop(ms: number): void;
}

/** Attributes the main thread's processor time to requests. */
export interface LoopClock {
  /** Attributes the work since the last call to the owner of that call. `owner` does the work from now on. */
  mark(owner: LoopOwner | undefined): void;
}

/** The interval in milliseconds in which the processor's share of the busy time is measured. */
const SHARE_MS = 250;

/**
 * The main thread works for one request at a time. Each request marks where its work begins or continues, and the busy
 * time until the next mark is its own. Busy time includes waiting for a processor that other programs use, so it is
 * multiplied by the share in which the thread really ran, which Linux tells.
 */
export function openLoopClock(): LoopClock {
  const processor = openProcessorTime();
  let owner: LoopOwner | undefined;
  let busy = busyTime();
  let share = 1;
  let measured = { busy, processor: processor() };

  const measureShare = (busyNow: number) => {
    const now = { busy: busyNow, processor: processor() };
    if (now.processor !== undefined && measured.processor !== undefined) {
      share = Math.min(1, (now.processor - measured.processor) / (now.busy - measured.busy));
    }
    measured = now;
  };

  return {
    mark(next) {
      const now = busyTime();
      if (now - measured.busy >= SHARE_MS) measureShare(now);
      if (now > busy) owner?.chargeLoop((now - busy) * share);
      busy = now;
      owner = next;
    },
  };
}

/** Milliseconds in which the event loop has not waited for events. */
const busyTime = (): number => performance.eventLoopUtilization().active;

/** Returns a function that returns the main thread's processor time in milliseconds; undefined on other systems. */
function openProcessorTime(): () => number | undefined {
  const buffer = Buffer.alloc(80);
  try {
    const file = openSync("/proc/self/schedstat", "r");
    return () =>
      Number(buffer.toString("latin1", 0, readSync(file, buffer, 0, buffer.length, 0)).split(" ", 1)[0]) / 1e6;
  } catch {
    return () => undefined;
  }
}
