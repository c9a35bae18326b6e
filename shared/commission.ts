/** Spec §9: what recommending Skies earns, in percent of what was really paid. */
export const COMMISSION_PERCENT = 30;
/** For how long after the first visit by a link what is bought counts for it. */
export const ATTRIBUTION_DAYS = 30;

/** What affiliate links carry in their query: `/?ref=CODE`. */
export const REFERRAL_PARAMETER = "ref";

/** In pence or cents: `tax` is part of `total`, and `refunded` is what of `total` went back. */
export interface Payment {
  total: number;
  tax?: number;
  refunded?: number;
}

/**
 * 30 % of what remains of a payment without its tax, in whole pence or cents: half a penny is rounded up. Of what goes
 * back, the same part is tax as of the whole. The database's private.commission_of says the same.
 */
export function commissionOf({ total, tax = 0, refunded = 0 }: Payment): number {
  if (total <= 0) return 0;
  const whole = BigInt(total);
  const net = BigInt(total - refunded) * BigInt(total - tax);
  return Number((BigInt(COMMISSION_PERCENT) * net + 50n * whole) / (100n * whole));
}
