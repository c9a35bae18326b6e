/** An independent model of payments, to compare with the product. Amounts are in pence or cents. */
export const PLANS = {
  "skies-memories": { price: 4500, years: 1, cards: 1, rank: 1 },
  "skies-pro": { price: 12_000, years: 3, cards: 3, rank: 2 },
  "skies-master": { price: 18_000, years: 5, cards: 5, rank: 3 },
} as const;
export type Plan = keyof typeof PLANS;

/** The scope and discount of each voucher. */
export const VOUCHERS = {
  THIRD: { percentage: 33, uses: 2, each: Number.POSITIVE_INFINITY, cards: true },
  MINE: { percentage: 10, uses: Number.POSITIVE_INFINITY, each: 1, cards: true },
  PLANS: { percentage: 12.5, uses: Number.POSITIVE_INFINITY, each: Number.POSITIVE_INFINITY, cards: false },
  GIFT: { percentage: 100, uses: 1, each: 1, cards: true },
} as const;
export type Voucher = keyof typeof VOUCHERS;

export interface Wish {
  plans: Plan[];
  /** Separate cards, and cards with each plan. */
  cards: number;
  beside: number;
  currency: "GBP" | "EUR";
  voucher: Voucher | null;
}

export interface PricedLine {
  plan?: Plan;
  quantity: number;
  total: number;
}

const halfUp = (amount: number) => Math.floor(amount + 0.5);

/** The lines of an order at the prices of Spec §9: 5 % less for ten cards, 10 % for 25, then the voucher. */
export function linesOf({ plans, cards, beside, voucher }: Wish): PricedLine[] {
  const off = voucher ? VOUCHERS[voucher].percentage : 0;
  const pieces = cards + beside * plans.length;
  const forMany = pieces >= 25 ? 10 : pieces >= 10 ? 5 : 0;
  const cardLine = (quantity: number): PricedLine[] => {
    const price = quantity * 2500 - halfUp((quantity * 2500 * forMany) / 100);
    const covered = voucher && VOUCHERS[voucher].cards;
    return quantity === 0 ? [] : [{ quantity, total: price - (covered ? halfUp((price * off) / 100) : 0) }];
  };
  const bought = plans.flatMap((plan) => [
    { plan, quantity: 1, total: PLANS[plan].price - halfUp((PLANS[plan].price * off) / 100) },
    ...cardLine(beside),
  ]);
  return [...bought, ...cardLine(cards)];
}

/** The state of a payment at the provider. `back` is the refunded or charged back amount. */
export interface Standing {
  page: "open" | "complete" | "expired";
  captured: boolean;
  refused: boolean;
  total: number;
  tax: number;
  back: number;
  disputed: boolean;
}

export function statusOf({ page, captured, refused, total, back, disputed }: Standing): string {
  if (captured && total > 0 && back === total) return "refunded";
  if (captured) return disputed ? "disputed" : "paid";
  return refused ? "failed" : page === "expired" ? "expired" : "pending";
}

/** 30 % of the remaining amount without tax; half a penny is rounded up. */
export const commissionFor = ({ total, tax, back }: Standing): number =>
  total === 0 ? 0 : Math.floor((3 * (total - back) * (total - tax) + 5 * total) / (10 * total));

export interface Bought {
  plan: Plan;
  /** Milliseconds since 1970. */
  at: number;
  /** The paid amount minus refunds. */
  amount: number;
}

export interface Held {
  plan: Plan;
  starts: number;
  ends: number;
  amount: number;
  credit: number;
}

const DAY_MS = 86_400_000;

/** Calendar years later; 29 February becomes 28 February. */
export function yearsAfter(moment: number, years: number): number {
  const whole = Math.floor(moment);
  const later = new Date(whole);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  if (later.getUTCDate() !== new Date(whole).getUTCDate()) later.setUTCDate(0);
  return later.getTime() + (moment - whole);
}

/** The plans that a person holds over time after all purchases: the larger first, the smaller after it. */
export function holdings(purchases: readonly Bought[]): Held[] {
  let over: Held[] = [];
  let row: Held[] = [];
  for (const { plan, at, amount } of purchases.toSorted((one, other) => one.at - other.at)) {
    const { price, years, rank } = PLANS[plan];
    over = [...over, ...row.filter(({ ends }) => ends <= at)];
    row = row.filter(({ ends }) => ends > at);
    const larger = row.filter((plan) => PLANS[plan.plan].rank >= rank);
    const smaller = row.filter((plan) => PLANS[plan.plan].rank < rank);
    const ahead = larger.at(-1);
    const next: Held = { plan, starts: ahead?.ends ?? at, ends: 0, amount, credit: 0 };
    next.ends = yearsAfter(next.starts, years);
    if (!ahead) {
      // The unused value of smaller plans extends the larger one by days.
      const worth = smaller.reduce(
        (sum, plan) =>
          sum + (plan.amount + plan.credit) * ((plan.ends - Math.max(at, plan.starts)) / (plan.ends - plan.starts)),
        0,
      );
      next.credit = Math.ceil(worth);
      next.ends += Math.ceil((worth * ((next.ends - next.starts) / DAY_MS)) / price) * DAY_MS;
      row = [next];
      continue;
    }
    let free = next.ends;
    const behind = smaller.map((plan) => {
      const moved = { ...plan, starts: free, ends: yearsAfter(free, PLANS[plan.plan].years) };
      free = moved.ends;
      return moved;
    });
    row = [...larger, next, ...behind];
  }
  return [...over, ...row];
}

/** The plan in force at a moment. */
export const holdsAt = (plans: readonly Held[], now: number): Plan | "skies-starter" =>
  plans.find(({ starts, ends }) => starts <= now && now < ends)?.plan ?? "skies-starter";
