import type { DeskAffiliate } from "./affiliates.queries.ts";

type Facts = Pick<DeskAffiliate, "clicks" | "busiest_day" | "purchases" | "own_purchases">;

/** Clicks in 30 days that are suspicious without a purchase, and clicks of a day that are a burst. */
const MANY_CLICKS = 100;
const BURST = 50;

/**
 * Suspicious facts about an affiliate. Clicks are only counted by day, without their visitors. A burst is a day with
 * most of the month's clicks.
 */
export const signsOf = ({ clicks, busiest_day, purchases, own_purchases }: Facts) =>
  [
    ...(own_purchases > 0 ? (["own"] as const) : []),
    ...(clicks >= MANY_CLICKS && purchases === 0 ? (["unbought"] as const) : []),
    ...(busiest_day >= BURST && busiest_day * 2 > clicks ? (["burst"] as const) : []),
  ] as const;
