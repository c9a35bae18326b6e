import { keptReferral } from "./referral.ts";

/** The checkout's fields for the stored referral; empty without one, or without consent. */
export function referralForCheckout(): { affiliate_code?: string; affiliate_visited_at?: string } {
  try {
    const referral = keptReferral();
    return referral ? { affiliate_code: referral.code, affiliate_visited_at: referral.visited_at } : {};
  } catch {
    // Broken browser storage must not block a purchase.
    return {};
  }
}
