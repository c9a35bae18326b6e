import type { DeskAffiliate } from "./affiliates.queries.ts";

type Facts = Pick<DeskAffiliate, "clicks" | "busiest_day" | "purchases" | "own_purchases">;

/** Thresholds: clicks in 30 days that are suspicious without a purchase, and clicks on one day that may be a burst. */
const MANY_CLICKS = 100;
const BURST = 50;

/**
 * Returns the suspicious facts about an affiliate. Clicks are counted by day only, not by visitor. A burst is a day
 * with more than half of the month's clicks.
 */
export const signsOf = ({ clicks, busiest_day, purchases, own_purchases }: Facts) =>
  [
    ...(own_purchases > 0 ? (["own"] as const) : []),
    ...(clicks >= MANY_CLICKS && purchases === 0 ? (["unbought"] as const) : []),
    ...(busiest_day >= BURST && busiest_day * 2 > clicks ? (["burst"] as const) : []),
  ] as const;
