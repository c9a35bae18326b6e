/** The limit of one key. */
export interface Budget {
  /** Milliseconds of work that are granted every second. */
  perSecond: number;
  /** The maximum credit in milliseconds of work. */
  burst: number;
}

/** A token bucket of milliseconds of work. Work is charged when it ends, so the balance may be negative. */
export interface CostBucket {
  /** Seconds until the next request may begin; 0 if it may begin now. */
  waitSeconds(): number;
  /** Begins a request. Until it ends it counts with the key's typical cost. */
  beginRequest(): void;
  /** Ends a request with its total cost. */
  endRequest(cost: number): void;
  /** Begins a statement, whose running time counts until the returned function ends it. */
  beginWork(): () => void;
  charge(cost: number): void;
  /** Charges a cost that another process reported. */
  chargeSpent(cost: number): void;
}

/** The maximum estimate of a running request's cost. */
const MAX_PROVISIONAL = 2000;
/** The weight of the last request in a key's typical cost. */
const WEIGHT = 0.2;

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
  let requests = 0;
  let typical = 0;
  /** Running statements, and the sum of their start times. */
  let running = 0;
  let startTimes = 0;

  const refill = () => {
    const at = now();
    balance = Math.min(burst, balance + ((at - balanceAt) * perSecond) / 1000);
    balanceAt = at;
    return at;
  };
  const chargeSpent = (cost: number) => {
    refill();
    // Bounds the debt, and thereby the longest wait.
    balance = Math.max(-burst, balance - cost);
  };
  return {
    waitSeconds() {
      const elapsed = running * refill() - startTimes;
      const left = balance - elapsed - requests * Math.min(typical, MAX_PROVISIONAL);
      return left > 0 ? 0 : Math.max(1, Math.ceil(-left / perSecond));
    },
    beginRequest() {
      requests += 1;
    },
    endRequest(cost) {
      requests -= 1;
      typical += (cost - typical) * WEIGHT;
    },
    beginWork() {
      const at = now();
      running += 1;
      startTimes += at;
      return () => {
        running -= 1;
        startTimes -= at;
      };
    },
    charge(cost) {
      spend(cost);
      chargeSpent(cost);
    },
    chargeSpent,
  };
}
