import { keptReferral } from "./referral.ts";

/** What a checkout says about who recommended Skies to this browser; nothing where nobody did, or it was not to be kept. */
export function referralForCheckout(): { affiliate_code?: string; affiliate_visited_at?: string } {
  try {
    const kept = keptReferral();
    return kept ? { affiliate_code: kept.code, affiliate_visited_at: kept.visited_at } : {};
  } catch {
    // Nobody is kept from buying by what a browser keeps.
    return {};
  }
}
