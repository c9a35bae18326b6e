import type { DeskAffiliate } from "./affiliates.queries.ts";

type Facts = Pick<DeskAffiliate, "clicks" | "busiest_day" | "purchases" | "own_purchases">;

/** From how many clicks in 30 days on none bought is strange, and how many a day are a burst. */
const MANY_CLICKS = 100;
const BURST = 50;

/**
 * What speaks against an affiliate, as far as the tables show it: a click is counted by the day and nothing else is kept of
 * who clicked. A burst is a day with most of the month's clicks.
 */
export const signsOf = ({ clicks, busiest_day, purchases, own_purchases }: Facts) =>
  [
    ...(own_purchases > 0 ? (["own"] as const) : []),
    ...(clicks >= MANY_CLICKS && purchases === 0 ? (["unbought"] as const) : []),
    ...(busiest_day >= BURST && busiest_day * 2 > clicks ? (["burst"] as const) : []),
  ] as const;
