/** The limit of one key. */
export interface Budget {
  /** Milliseconds of work that are granted every second. */
  perSecond: number;
  /** The maximum credit in milliseconds of work. */
  burst: number;
}

/**
 * A token bucket of milliseconds of work. Work is charged when it ends, so the balance may be negative. Waiting costs
 * nothing.
 */
export interface CostBucket {
  /** Whole seconds until the next request may begin if nothing more is spent; 0 if it may begin now. */
  waitSeconds(): number;
  /**
   * Begins a request, which counts with the key's typical cost for a second: after that it waits for something. The
   * returned function ends it with its total cost.
   */
  beginRequest(): (cost: number) => void;
  /** Begins a statement, whose work so far counts until the returned function ends it. */
  beginWork(spent: () => number): () => void;
  charge(cost: number): void;
  /** Charges a cost that another process reported. */
  chargeSpent(cost: number): void;
}

/** The maximum estimate of a running request's cost. */
const MAX_PROVISIONAL = 2000;
/** The weight of the last request in a key's typical cost. */
const WEIGHT = 0.2;
/** Milliseconds for which a running request counts with its typical cost. */
const PROVISIONAL_MS = 1000;

/** Buckets by key. Above `size`, the least recently used one is dropped. */
export function costBuckets({ perSecond, burst }: Budget, size = 50_000, now: () => number = () => performance.now()) {
  const buckets = new Map<string, CostBucket>();
  /** The spending of each key here since the last report to other processes. */
  const spent = new Map<string, number>();
  const open = (key: string): CostBucket => {
    const spend = (cost: number) => spent.set(key, (spent.get(key) ?? 0) + cost);
    const bucket = buckets.get(key) ?? costBucket({ perSecond, burst }, now, spend);
    buckets.delete(key);
    buckets.set(key, bucket);
    for (const oldest of buckets.keys()) {
      if (buckets.size <= size) break;
      buckets.delete(oldest);
    }
    return bucket;
  };
  return {
    open,
    /** The spending since the last call, of keys above a small share of their rate. */
    takeSpent(): [string, number][] {
      const taken = [...spent].filter(([, cost]) => cost > perSecond * REPORTED_SHARE);
      spent.clear();
      return taken.map(([key, cost]) => [key, Math.round(cost)]);
    },
    /** Charges spending of another process. */
    chargeSpent(key: string, cost: number) {
      open(key).chargeSpent(cost);
    },
  };
}

/** Spending below this share of the rate is not reported to other processes. */
const REPORTED_SHARE = 0.05;

export type CostBuckets = ReturnType<typeof costBuckets>;

function costBucket({ perSecond, burst }: Budget, now: () => number, spend: (cost: number) => void): CostBucket {
  let balance = burst;
  let balanceAt = now();
  let typical = 0;
  /** The start times of young requests, in order. */
  const young = new Map<symbol, number>();
  /** The work so far of running statements. */
  const running = new Set<() => number>();

  const refill = () => {
    const at = now();
    balance = Math.min(burst, balance + ((at - balanceAt) * perSecond) / 1000);
    balanceAt = at;
    return at;
  };
  /** The expected cost of young requests. */
  const provisional = (at: number) => {
    for (const [request, startedAt] of young) {
      if (at - startedAt < PROVISIONAL_MS) break;
      young.delete(request);
    }
    return young.size * Math.min(typical, MAX_PROVISIONAL);
  };
  /** The work so far of running statements, which is charged at their end. */
  const uncharged = () => {
    let sum = 0;
    for (const spent of running) sum += spent();
    return sum;
  };
  const chargeSpent = (cost: number) => {
    refill();
    // Bounds the debt, and thereby the longest wait.
    balance = Math.max(-burst, balance - cost);
  };
  return {
    waitSeconds() {
      const at = refill();
      const credit = balance - uncharged();
      if (credit >= provisional(at)) return 0;
      // In a second no request is young any more.
      return Math.max(1, Math.ceil(-credit / perSecond));
    },
    beginRequest() {
      const request = Symbol();
      young.set(request, now());
      return (cost) => {
        young.delete(request);
        typical += (cost - typical) * WEIGHT;
      };
    },
    beginWork(spent) {
      running.add(spent);
      return () => running.delete(spent);
    },
    charge(cost) {
      spend(cost);
      chargeSpent(cost);
    },
    chargeSpent,
  };
}
