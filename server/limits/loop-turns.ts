import { fairQueue, type QueueKey } from "../database/fair-queue.ts";
import { typicalWork } from "./typical-work.ts";

/** Gives requests their turns on the main thread. */
export interface LoopTurns {
  /**
   * Resolves when a request may begin, to the function that ends its turn with the main thread's milliseconds that it
   * used. `kind` groups requests of similar work.
   */
  take(key: QueueKey, kind: string): Promise<(used: number) => void>;
}

/** Requests that may be on their way at once, each with a few milliseconds of work. */
const WIDTH = 16;
/** Requests that begin in one iteration of the event loop. Otherwise many would begin before a new one is received. */
const PER_ITERATION = 4;
/** A request that takes longer waits for something else: a body, a file, a mail server. Its place goes to the next. */
const TURN_MS = 250;
/** Milliseconds of work of one place. A request of more work takes several. */
const WORK_OF_PLACE = 4;
const MOST_PLACES = 8;
const MAX_WAITING_PER_ADDRESS = 2000;

/**
 * The event loop runs all requests that have arrived, so without turns three hundred of one person would be in front of
 * everybody else's at each step. Here at most a few of one address are on their way, and addresses and callers take
 * turns. Requests whose kind takes much of the main thread take several places.
 */
export function openLoopTurns(): LoopTurns {
  const queue = fairQueue({
    width: WIDTH,
    // The database's queue has a time limit.
    maxWaitMs: Number.POSITIVE_INFINITY,
    maxWaitingPerAddress: MAX_WAITING_PER_ADDRESS,
  });
  let begun = 0;
  const nextIteration = () => new Promise((resolve) => setImmediate(resolve));
  const waitForIteration = async () => {
    while (begun >= PER_ITERATION) await nextIteration();
    if (begun === 0) {
      setImmediate(() => {
        begun = 0;
      });
    }
    begun += 1;
  };
  /** By address and kind. */
  const typical = typicalWork({ workOfPlace: WORK_OF_PLACE, mostPlaces: MOST_PLACES });

  return {
    async take(key, kind) {
      const id = `${key.address} ${kind}`;
      const release = await queue.acquire(key, typical.places(id));
      await waitForIteration();
      const timer = setTimeout(release, TURN_MS).unref();
      return (used) => {
        clearTimeout(timer);
        release();
        typical.record(id, used);
      };
    },
  };
}
