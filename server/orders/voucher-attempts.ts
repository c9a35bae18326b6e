import { type AttemptLimiter, attemptLimiter } from "../supabase/attempt-limiter.ts";
import type { Limits } from "../supabase/auth/limits.ts";

/** Twenty wrong codes in ten minutes are enough for a typing mistake, and too few to find a code. */
export const voucherAttempts = (limits: Limits): AttemptLimiter =>
  attemptLimiter(limits, { secret: "voucher code", allowance: 20, seconds: 600 });

/** Whether an answer of `apply_voucher` says that the code was wrong. */
export const isWrongVoucher = (body: string): boolean => body.includes("Invalid voucher code");
