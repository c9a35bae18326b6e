/** Runs work whose weights add up to no more than the capacity. */
export interface WeightedQueue {
  /** Work heavier than the whole capacity runs alone. Urgent work goes before the rest. */
  run<T>(weight: number, work: () => Promise<T>, urgent?: boolean): Promise<T>;
}

interface Limits {
  /** The most that running work may weigh together. */
  capacity: number;
  /** The most pieces of work that run at once. */
  width: number;
}

/** After so many others have passed it, waiting work is started before anything behind it. */
const MOST_PASSES = 8;

interface Waiting {
  weight: number;
  urgent: boolean;
  /** Rises with every piece of work that is added. */
  order: number;
  /** How many that were added later have been started before it. */
  passed: number;
  start: () => void;
}

/**
 * A semaphore counted in weight. Light work may pass heavy work that does not fit yet, a bounded number of times, so that
 * neither starves.
 */
export function weightedQueue({ capacity, width }: Limits): WeightedQueue {
  const waiting: Waiting[] = [];
  let running = 0;
  let used = 0;
  let added = 0;
  const fits = ({ weight }: Waiting) => running === 0 || (running < width && used + weight <= capacity);

  function startWaiting() {
    for (;;) {
      const overdue = waiting.find(({ passed }) => passed >= MOST_PASSES);
      const next = (overdue ? [overdue] : waiting).find(fits);
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      for (const other of waiting) if (other.order < next.order) other.passed += 1;
      running += 1;
      used += next.weight;
      next.start();
    }
  }

  function add(weight: number, urgent: boolean): Promise<void> {
    added += 1;
    const turn = new Promise<void>((start) => {
      const index = urgent ? waiting.findIndex((other) => !other.urgent) : -1;
      waiting.splice(index === -1 ? waiting.length : index, 0, { weight, urgent, order: added, passed: 0, start });
    });
    startWaiting();
    return turn;
  }

  return {
    async run(weight, work, urgent = false) {
      await add(weight, urgent);
      try {
        return await work();
      } finally {
        running -= 1;
        used -= weight;
        startWaiting();
      }
    },
  };
}
