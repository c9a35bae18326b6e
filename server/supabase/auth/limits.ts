import { createHmac } from "node:crypto";
import { type FastifyRateLimitStoreCtor, normalizeIP, type RateLimitOptions } from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";
import { RetryLaterError } from "../../../shared/request-error.ts";
import { type Database, queryWhileMoving } from "../../database/database.ts";

/** At most so many attempts in a window of so many seconds, by key. */
export interface Allowance {
  key: string;
  most: number;
  seconds: number;
}

/** Counts attempts in the database, so that all processes share the counts and a restart keeps them. */
export interface Limits {
  /** The HMAC of a key, as stored. */
  hash(key: string): string;
  /** Counts an attempt. Resolves to the count in this window, and to the milliseconds until the window ends. */
  count(key: string, seconds: number): Promise<{ count: number; endsIn: number }>;
  /**
   * Counts an attempt by each allowance, and refuses it above one of them. A refused attempt counts by none of the others.
   * The `refusal` gets the milliseconds after which all of them admit it.
   */
  spend(allowances: Allowance[], refusal?: (endsIn: number) => RetryLaterError): Promise<void>;
  /** Undoes the count of one attempt, e.g. a successful one. */
  refund(key: string): Promise<void>;
}

/** SQL of a `with` query that commits without waiting for the disk. Losing a count in a power failure is acceptable. */
export const UNSYNCED = "unsynced as (select set_config('synchronous_commit', 'off', true))";

/**
 * Returns SQL that counts an attempt for a key in a window of `seconds`. Both parameters are SQL expressions. The SQL
 * yields `key`, `count` and, in milliseconds, `ends_in`. Its statement must begin with {@link UNSYNCED}.
 */
export const countAttempt = (key: string, seconds: string) =>
  `insert into auth.attempts as known (key, count, ends_at)
   select ${key}, 1, clock_timestamp() + make_interval(secs => ${seconds}) from unsynced
   on conflict (key) do update set
     count = case when known.ends_at > clock_timestamp() then known.count + 1 else 1 end,
     ends_at = case when known.ends_at > clock_timestamp() then known.ends_at else excluded.ends_at end
   returning key, count, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ends_in`;

/** Opens the counters. Keys are stored as HMACs with `secret`, so that the table contains no addresses or accounts. */
export function openLimits(db: Database, secret: Uint8Array): Limits {
  const hashed = (key: string) => createHmac("sha256", secret).update(`limit ${key}`).digest("base64url");
  /** The milliseconds after which an allowance admits an attempt. Counts nothing. */
  const waitOf = async ({ key, most }: Allowance) => {
    const { rows } = await queryWhileMoving<{ ends_in: number }>(
      db,
      `select extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ends_in from auth.attempts
       where key = $1 and count >= $2 and ends_at > clock_timestamp()`,
      [hashed(key), most],
    );
    return rows[0]?.ends_in ?? 0;
  };
  const limits: Limits = {
    hash: hashed,
    async count(key, seconds) {
      const { rows } = await queryWhileMoving<{ count: number; ends_in: number }>(
        db,
        `with ${UNSYNCED} ${countAttempt("$1", "$2")}`,
        [hashed(key), seconds],
      );
      return { count: rows[0]?.count ?? 1, endsIn: rows[0]?.ends_in ?? 0 };
    },
    async spend(allowances, refusal = tooMany) {
      for (const [index, { key, most, seconds }] of allowances.entries()) {
        const { count, endsIn } = await limits.count(key, seconds);
        if (count <= most) continue;
        for (const counted of allowances.slice(0, index)) await limits.refund(counted.key);
        const waits = await Promise.all(allowances.slice(index + 1).map(waitOf));
        throw refusal(Math.max(endsIn, ...waits));
      }
    },
    async refund(key) {
      await queryWhileMoving(db, "update auth.attempts set count = greatest(count - 1, 0) where key = $1", [
        hashed(key),
      ]);
    },
  };
  return limits;
}

/** Returns the refusal of a request that may be retried in `endsIn` milliseconds. */
export const tooMany = (endsIn: number) => new RetryLaterError("over_request_rate_limit", endsIn / 1000);

/** Returns the store class in which the rate-limit plugin counts by IP address. */
export const storeIn = (limits: Limits): FastifyRateLimitStoreCtor =>
  class Store {
    incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void, window = 0) {
      limits.count(key, window / 1000).then(
        ({ count, endsIn }) => done(null, { current: count, ttl: endsIn }),
        (error: Error) => done(error),
      );
    }
    // Keys contain the name of their limit, so all routes can share the store.
    child() {
      return this;
    }
  };

/** Returns a route's limit of `what` per IP address (IPv6: per network) in five minutes. */
export const perAddress = (what: string, max: number): { rateLimit: RateLimitOptions } => ({
  rateLimit: { max, keyGenerator: (request: FastifyRequest) => `${what} from ${normalizeIP(request.ip)}` },
});
