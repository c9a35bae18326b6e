/** How much work one key may cause. */
export interface Budget {
  /** Milliseconds of work that are granted every second. */
  perSecond: number;
  /** Milliseconds of work that may be saved up. */
  burst: number;
}

/** A token bucket whose tokens are milliseconds of work. Work is paid for as it ends, so that the balance may be negative. */
export interface CostBucket {
  /** Seconds until the next request may begin; 0 for now. */
  waitSeconds(): number;
  /** A request begins. Until it ends it counts as one of this key's typical cost. */
  beginRequest(): void;
  /** The request has ended, having cost so much in all. */
  endRequest(cost: number): void;
  /** A statement begins. Until it ends the time since then counts. Returns what ends it. */
  beginWork(): () => void;
  charge(cost: number): void;
  /** The same for a cost that another process has told. */
  chargeSpent(cost: number): void;
}

/** The most that one request under way counts for, before its cost is known. */
const MAX_PROVISIONAL = 2000;
/** How much the last request weighs in what is typical of a key. */
const WEIGHT = 0.2;

/** Buckets by key. At most `size` are kept; the one unused for longest goes first. */
export function costBuckets({ perSecond, burst }: Budget, size = 50_000, now: () => number = () => performance.now()) {
  const buckets = new Map<string, CostBucket>();
  /** What each key has spent here since the other processes were told. */
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
    /** What keys have spent since the last call, of those that spent more than a small part of what a second grants. */
    takeSpent(): [string, number][] {
      const taken = [...spent].filter(([, cost]) => cost > perSecond * TOLD_PART);
      spent.clear();
      return taken.map(([key, cost]) => [key, Math.round(cost)]);
    },
    /** Charges what was spent in another process. */
    chargeSpent(key: string, cost: number) {
      open(key).chargeSpent(cost);
    },
  };
}

/** So little of what a second grants may be spent in each process without the others being told. */
const TOLD_PART = 0.05;

export type CostBuckets = ReturnType<typeof costBuckets>;

function costBucket({ perSecond, burst }: Budget, now: () => number, spend: (cost: number) => void): CostBucket {
  let balance = burst;
  let balanceAt = now();
  let requests = 0;
  let typical = 0;
  /** Statements under way, and the sum of the times at which they began. */
  let running = 0;
  let begun = 0;

  const refill = () => {
    const at = now();
    balance = Math.min(burst, balance + ((at - balanceAt) * perSecond) / 1000);
    balanceAt = at;
    return at;
  };
  const chargeSpent = (cost: number) => {
    refill();
    // A debt is bounded, so that the longest wait is.
    balance = Math.max(-burst, balance - cost);
  };
  return {
    waitSeconds() {
      const elapsed = running * refill() - begun;
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
      begun += at;
      return () => {
        running -= 1;
        begun -= at;
      };
    },
    charge(cost) {
      spend(cost);
      chargeSpent(cost);
    },
    chargeSpent,
  };
}
