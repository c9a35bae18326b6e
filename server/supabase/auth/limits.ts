import { createHmac } from "node:crypto";
import type { FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import { Refusal } from "../../../shared/refusal.ts";
import type { Database } from "../../database/database.ts";

/** Counts tries in the database, where every process sees them and a restart does not forget them. */
export interface Limits {
  /** Counts one more; resolves to how many there are in this window, and in how many milliseconds it ends. */
  count(key: string, seconds: number): Promise<{ count: number; endsIn: number }>;
  /** Counts one more and refuses when there are now more than `most`. */
  spend(key: string, most: number, seconds: number): Promise<void>;
  /** Takes one count back, as after a try that was right. */
  giveBack(key: string): Promise<void>;
}

/** Keys are kept as HMACs under `secret` only, so that the table names neither addresses nor accounts. */
export function openLimits(db: Database, secret: Uint8Array): Limits {
  const hashed = (key: string) => createHmac("sha256", secret).update(`limit ${key}`).digest("base64url");
  const limits: Limits = {
    async count(key, seconds) {
      const { rows } = await db.query<{ count: number; ends_in: number }>(
        `insert into auth.attempts as known (key, count, ends_at)
         values ($1, 1, clock_timestamp() + make_interval(secs => $2))
         on conflict (key) do update set
           count = case when known.ends_at > clock_timestamp() then known.count + 1 else 1 end,
           ends_at = case when known.ends_at > clock_timestamp() then known.ends_at else excluded.ends_at end
         returning count, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ends_in`,
        [hashed(key), seconds],
      );
      return { count: rows[0]?.count ?? 1, endsIn: rows[0]?.ends_in ?? 0 };
    },
    async spend(key, most, seconds) {
      if ((await limits.count(key, seconds)).count > most) throw tooMany();
    },
    async giveBack(key) {
      await db.query("update auth.attempts set count = greatest(count - 1, 0) where key = $1", [hashed(key)]);
    },
  };
  return limits;
}

export const tooMany = () => new Refusal(429, "Request rate limit reached", "over_request_rate_limit");

/** The store in which the rate-limit plugin counts by address. */
export const storeIn = (limits: Limits): FastifyRateLimitStoreCtor =>
  class Store {
    incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void, window = 0) {
      limits.count(key, window / 1000).then(
        ({ count, endsIn }) => done(null, { current: count, ttl: endsIn }),
        (error: Error) => done(error),
      );
    }
    // Keys name what they count, so every route may share this one.
    child() {
      return this;
    }
  };
