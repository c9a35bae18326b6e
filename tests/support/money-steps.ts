import fc from "fast-check";
import { PLANS, type Plan, VOUCHERS, type Voucher, type Wish } from "./money-model.ts";

/** Who buys; Cleo is also who recommends Skies. */
export const BUYERS = ["ada", "bob", "cleo"] as const;
export type Buyer = (typeof BUYERS)[number];

/**
 * One thing that happens. `which` counts purchases, or events, back from the newest; where there are fewer it goes
 * round. What can not be done at that moment is left out.
 */
export type Step =
  | ({ does: "begins"; who: Buyer; referred: boolean } & Wish)
  | { does: "begins again"; which: number }
  | { does: "pays"; which: number; card: "pays" | "declined" | "slow" | "fails" }
  | { does: "pays too late"; which: number }
  | { does: "banks answer" }
  | { does: "page closes"; which: number }
  | { does: "refund"; which: number; share: number }
  | { does: "dispute"; which: number }
  | { does: "dispute ends"; which: number; end: "won" | "lost" }
  | { does: "news"; which: number; times: number }
  | { does: "all news"; backwards: boolean }
  | { does: "engraves"; which: number }
  | { does: "night" }
  | { does: "days pass"; days: number };

/** Mostly the newest, so that one purchase lives through much. */
const which = fc.constantFrom(0, 0, 0, 1, 1, 2, 4);
const plan = fc.constantFrom(...(Object.keys(PLANS) as Plan[]));
const begins: fc.Arbitrary<Step> = fc
  .record({
    does: fc.constant("begins" as const),
    who: fc.constantFrom(...BUYERS),
    plans: fc.array(plan, { maxLength: 2 }),
    cards: fc.constantFrom(0, 1, 9, 10, 27),
    beside: fc.constantFrom(0, 0, 3),
    currency: fc.constantFrom("GBP" as const, "EUR" as const),
    voucher: fc.constantFrom(null, null, ...(Object.keys(VOUCHERS) as Voucher[])),
    referred: fc.boolean(),
  })
  .filter(({ plans, cards }) => plans.length + cards > 0);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: begins },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("begins again" as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("pays" as const),
      which,
      card: fc.constantFrom("pays", "pays", "pays", "declined", "slow", "fails"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("pays too late" as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("banks answer" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("page closes" as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("refund" as const), which, share: fc.constantFrom(0.001, 0.3, 1, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("dispute" as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("dispute ends" as const), which, end: fc.constantFrom("won", "lost") }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("news" as const),
      which: fc.nat({ max: 12 }),
      times: fc.constantFrom(1, 1, 2, 3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("all news" as const), backwards: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("engraves" as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("night" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("days pass" as const), days: fc.constantFrom(1, 200, 366, 1500) }),
  },
);

export const anyStory = fc.array(anyStep, { minLength: 1, maxLength: 30, size: "max" });

const FREE: Wish = { plans: ["skies-pro"], cards: 1, beside: 0, currency: "GBP", voucher: "GIFT" };
const PAID: Wish = { plans: ["skies-memories"], cards: 0, beside: 0, currency: "EUR", voucher: null };

/** Stories that once went wrong. */
export const KNOWN_STORIES: Step[][] = [
  // A page with nothing to pay says that no payment is required before anybody has agreed to it.
  [{ does: "begins", who: "ada", referred: false, ...FREE }, { does: "night" }],
  [
    { does: "begins", who: "ada", referred: false, ...FREE },
    { does: "begins", who: "ada", referred: false, ...PAID },
  ],
  // A bank asks about a payment that has wholly gone back.
  [
    { does: "begins", who: "bob", referred: true, ...PAID },
    { does: "pays", which: 0, card: "pays" },
    { does: "all news", backwards: false },
    { does: "refund", which: 0, share: 1 },
    { does: "all news", backwards: false },
    { does: "dispute", which: 0 },
    { does: "all news", backwards: false },
  ],
];

/** A step in a line of its own, for anyone who reads what went wrong. */
export function written(step: Step): string {
  const { does, ...rest } = step;
  const told = Object.entries(rest).map(([key, value]) => `${key} ${Array.isArray(value) ? value.join("+") : value}`);
  return [does, ...told].join(", ");
}
