/** Runs a few pieces of work at once, whose weights add up to no more than the capacity; the others wait. */
export interface Queue {
  /** Work heavier than the whole capacity runs alone. Urgent work goes before the rest. */
  run<T>(work: () => Promise<T>, options?: { urgent?: boolean; weight?: number }): Promise<T>;
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
 * A semaphore: `width` pieces of work at once that weigh no more than `capacity` together. Light work may pass heavy work that does not fit yet, a bounded number of times, so that
 * neither starves.
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

/** What `work` makes of each item, in their order, with so many under way at once. A failure ends it when its turn comes. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  many: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const one = work(item);
      // Until its turn, nobody else hears of a failure.
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
