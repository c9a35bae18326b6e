/** Spec §9: an affiliate's commission, in percent of the amount paid. */
export const COMMISSION_PERCENT = 30;
/** The days after the first visit by a link in which purchases count for it. */
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
 * 30 % of a payment without tax and refunds, in whole pence or cents, half a penny rounded up. A refund has the same
 * share of tax as the whole. The database's private.commission_of computes the same.
 */
export function commissionOf({ total, tax = 0, refunded = 0 }: Payment): number {
  if (total <= 0) return 0;
  const whole = BigInt(total);
  const net = BigInt(total - refunded) * BigInt(total - tax);
  return Number((BigInt(COMMISSION_PERCENT) * net + 50n * whole) / (100n * whole));
}
