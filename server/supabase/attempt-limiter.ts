import { normalizeIP } from "@fastify/rate-limit";
import type { Caller } from "../database/as-caller.ts";
import type { Limits } from "./auth/limits.ts";

/** Counts attempts at one kind of secret, over all endpoints. */
export interface AttemptLimiter {
  /** Counts an attempt before its check, so that parallel attempts count too. Rejects with 429 above the allowance. */
  begin(address: string, caller: Caller): Promise<Attempt>;
}

export interface Attempt {
  /** Undoes the count of a successful attempt. */
  refund(): Promise<void>;
}

/** Creates a limiter: `allowance` wrong attempts in `seconds` per address (IPv6: per /64) and per signed-in person. */
export function attemptLimiter(
  limits: Limits,
  { secret, allowance, seconds }: { secret: string; allowance: number; seconds: number },
): AttemptLimiter {
  return {
    async begin(address, { sub }) {
      const keys = [`attempts at a ${secret} from ${normalizeIP(address)}`];
      if (sub !== undefined) keys.push(`attempts at a ${secret} by ${sub}`);
      await limits.spend(keys.map((key) => ({ key, most: allowance, seconds })));
      return {
        async refund() {
          for (const key of keys) await limits.refund(key);
        },
      };
    },
  };
}
