/** A queue that limits the number of parallel tasks and the sum of their weights. Other tasks wait. */
export interface Queue {
  /** Runs a task. A task heavier than the capacity runs alone. Urgent tasks start before other waiting tasks. */
  run<T>(work: () => Promise<T>, options?: { urgent?: boolean; weight?: number }): Promise<T>;
}

/** The number of later tasks that may start before a waiting one. After that, they wait for it. */
const MOST_PASSES = 8;

interface Waiting {
  weight: number;
  urgent: boolean;
  /** A sequence number of added tasks. */
  order: number;
  /** The number of later tasks that have started before this one. */
  passed: number;
  start: () => void;
}

/**
 * Creates a semaphore for up to `width` parallel tasks with a total weight of up to `capacity`. A light task may start
 * before a heavy one that does not fit yet, a limited number of times, so that neither starves.
 */
export function queue(width: number, capacity = Number.POSITIVE_INFINITY): Queue {
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
    async run(work, { urgent = false, weight = 0 } = {}) {
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

/**
 * Yields the results of `work` in the order of the items, with up to `many` parallel calls. A failed call throws when
 * its result is due.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  many: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const one = work(item);
      // A failure is thrown later, when its result is due; this prevents an unhandled rejection.
      one.catch(() => {});
      running.push(one);
      const [first] = running;
      if (running.length < many || !first) continue;
      yield await first;
      running.shift();
    }
    for (const one of running) yield await one;
  } finally {
    await Promise.allSettled(running);
  }
}
