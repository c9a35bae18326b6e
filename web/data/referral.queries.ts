import { keptReferral } from "./referral.ts";

/** The checkout's fields for the stored referral; empty without one, or without consent. */
export function referralForCheckout(): { affiliate_code?: string; affiliate_visited_at?: string } {
  try {
    const kept = keptReferral();
    return kept ? { affiliate_code: kept.code, affiliate_visited_at: kept.visited_at } : {};
  } catch {
    // Broken browser storage must not block a purchase.
    return {};
  }
}
