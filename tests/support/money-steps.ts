import fc from "fast-check";
import { PLANS, type Plan, VOUCHERS, type Voucher, type Wish } from "./money-model.ts";

/** The buyers; Cleo is also the affiliate. */
export const BUYERS = ["ada", "bob", "cleo"] as const;
export type Buyer = (typeof BUYERS)[number];

/** A step of a scenario. `which` counts back from the newest, modulo their number. Impossible steps are skipped. */
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

/** Mostly the newest, so that one purchase gets many steps. */
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

/** Scenarios that failed once. */
export const KNOWN_STORIES: Step[][] = [
  // The provider marks a free page as `no_payment_required` before the buyer has confirmed it.
  [{ does: "begins", who: "ada", referred: false, ...FREE }, { does: "night" }],
  [
    { does: "begins", who: "ada", referred: false, ...FREE },
    { does: "begins", who: "ada", referred: false, ...PAID },
  ],
  // A dispute about a fully refunded payment.
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

/** A step as one line, for reports. */
export function written(step: Step): string {
  const { does, ...rest } = step;
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${Array.isArray(value) ? value.join("+") : value}`);
  return [does, ...parts].join(", ");
}
