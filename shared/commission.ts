/** Spec §9: an affiliate's commission, in percent of the amount paid. */
export const COMMISSION_PERCENT = 30;
/** Days after the first visit by an affiliate's link during which purchases count for the affiliate. */
export const ATTRIBUTION_DAYS = 30;

/** Query parameter of affiliate links: `/?ref=CODE`. */
export const REFERRAL_PARAMETER = "ref";

/** A payment in pence or cents. `total` includes `tax`; `refunded` is the refunded part of `total`. */
export interface Payment {
  total: number;
  tax?: number;
  refunded?: number;
}

/**
 * Returns 30% of a payment without tax and refunds, in whole pence or cents; halves are rounded up. A refund contains
 * the same share of tax as the payment. The database function private.commission_of computes the same.
 */
export function commissionOf({ total, tax = 0, refunded = 0 }: Payment): number {
  if (total <= 0) return 0;
  const whole = BigInt(total);
  const net = BigInt(total - refunded) * BigInt(total - tax);
  return Number((BigInt(COMMISSION_PERCENT) * net + 50n * whole) / (100n * whole));
}
