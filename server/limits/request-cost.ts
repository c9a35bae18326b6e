import { RetryLaterError } from "../../shared/request-error.ts";
import type { WorkOwner } from "../database/share-fairly.ts";
import type { CostBucket, CostBuckets } from "./cost-buckets.ts";

/** Milliseconds that every request costs; they pay for what the database does not measure. */
const FEE = 2;
/** Milliseconds of database work that the fee covers, so that light requests cost the same on a slow machine. */
const COVERED_BY_FEE = 10;
/** Bytes of an answer that cost one millisecond, and the most that an answer's size costs. */
const BYTES_PER_MS = 100_000;
const MAX_SIZE_COST = 100;

export interface Buckets {
  addresses: CostBuckets;
  callers: CostBuckets;
}

/**
 * What one request costs. The cost is charged to the request's address as it becomes known, and to its caller once the
 * caller is known.
 */
export class RequestCost implements WorkOwner {
  readonly address: string;
  caller: string;
  readonly #buckets: Buckets;
  readonly #charged: CostBucket[];
  #counted: CostBucket[] = [];
  #isUnderWay = false;
  #hasWorked = false;
  #databaseMs = 0;
  #cost = 0;

  /** Throws a `RetryLaterError` when the address has no credit. */
  constructor(address: string, buckets: Buckets) {
    this.address = address;
    this.caller = `visitor from ${address}`;
    this.#buckets = buckets;
    this.#charged = [withCredit(buckets.addresses.open(address))];
    this.#raiseTo(FEE);
  }

  /** The request counts as under way until {@link end}. */
  begin(): void {
    this.#isUnderWay = true;
    for (const bucket of this.#charged) this.#count(bucket);
  }

  /** Names the caller, by a key that is unique across addresses. Throws a `RetryLaterError` when it has no credit. */
  identify(caller: string): void {
    const bucket = withCredit(this.#buckets.callers.open(caller));
    this.caller = caller;
    if (this.#charged.includes(bucket)) return;
    this.#charged.push(bucket);
    bucket.charge(this.#cost);
    this.#count(bucket);
  }

  /** Throws a `RetryLaterError` when the credit went while the request waited for its turn, and nothing is done yet. */
  beginWork(): () => void {
    if (!this.#hasWorked) for (const bucket of this.#charged) withCredit(bucket);
    this.#hasWorked = true;
    const begun = performance.now();
    const ends = this.#charged.map((bucket) => bucket.beginWork());
    return () => {
      for (const end of ends) end();
      this.#databaseMs += performance.now() - begun;
      this.#raiseTo(FEE + Math.max(0, this.#databaseMs - COVERED_BY_FEE));
    };
  }

  /** The request has ended, with an answer of so many bytes; 0 where that is unknown. */
  end(bytes: number): void {
    this.#raiseTo(this.#cost + Math.min(bytes / BYTES_PER_MS, MAX_SIZE_COST));
    for (const bucket of this.#counted) bucket.endRequest(this.#cost);
    this.#counted = [];
    this.#isUnderWay = false;
  }

  #count(bucket: CostBucket): void {
    if (!this.#isUnderWay) return;
    bucket.beginRequest();
    this.#counted.push(bucket);
  }

  #raiseTo(cost: number): void {
    const more = cost - this.#cost;
    if (more <= 0) return;
    this.#cost = cost;
    for (const bucket of this.#charged) bucket.charge(more);
  }
}

function withCredit(bucket: CostBucket): CostBucket {
  const seconds = bucket.waitSeconds();
  if (seconds === 0) return bucket;
  throw new RetryLaterError("over_request_rate_limit", seconds, {
    message: "Too many expensive requests. Please wait.",
  });
}
