import type { HeldPlan } from "../../data/held-plans.queries.ts";

/** A plan for sale, in one currency. */
export interface Offer {
  id: string;
  position: number;
  term_years: number;
  /** Price in pence or cents. */
  amount: number;
}

export interface PlanChange {
  kind: "new" | "renew" | "up" | "down";
  startsAt: Date;
  expiresAt: Date;
  /** Unused value of the replaced plans in pence or cents; 0 except for an upgrade. */
  credit: number;
  /** Additional days that the credit pays for. */
  extraDays: number;
}

const DAY_MS = 86_400_000;

/**
 * Returns the effect of buying a plan now, for display. At payment, the database applies the same rule
 * (docs/decisions/0030). `positions` rank the plans by size.
 */
export function planChange(
  ownPlans: readonly HeldPlan[],
  positions: Readonly<Record<string, number>>,
  offer: Offer,
  now: Date,
): PlanChange {
  const running = ownPlans.filter(({ expires_at }) => Date.parse(expires_at) > now.getTime());
  const ahead = running
    .filter(({ plan_id }) => (positions[plan_id] ?? 0) >= offer.position)
    .toSorted((one, other) => Date.parse(other.expires_at) - Date.parse(one.expires_at))[0];
  if (ahead) {
    const startsAt = new Date(ahead.expires_at);
    const kind = ahead.plan_id === offer.id ? "renew" : "down";
    return { kind, startsAt, expiresAt: yearsAfter(startsAt, offer.term_years), credit: 0, extraDays: 0 };
  }
  const credit = running.reduce((sum, plan) => sum + leftOf(plan, now), 0);
  const term = yearsAfter(now, offer.term_years).getTime() - now.getTime();
  const extraDays = offer.amount > 0 ? Math.ceil((credit * term) / DAY_MS / offer.amount) : 0;
  return {
    kind: running.length > 0 ? "up" : "new",
    startsAt: now,
    expiresAt: new Date(now.getTime() + term + extraDays * DAY_MS),
    credit: Math.ceil(credit),
    extraDays,
  };
}

/** Returns a plan's unused value, in proportion to its remaining time. */
function leftOf({ starts_at, expires_at, amount, credit }: HeldPlan, now: Date): number {
  const [from, to] = [Date.parse(starts_at), Date.parse(expires_at)];
  return ((amount + credit) * Math.max(to - Math.max(now.getTime(), from), 0)) / (to - from);
}

/** Returns the same day some years later. 29 February becomes 28 February if that year is no leap year. */
export function yearsAfter(moment: Date, years: number): Date {
  const later = new Date(moment);
  later.setUTCFullYear(moment.getUTCFullYear() + years);
  if (later.getUTCMonth() !== moment.getUTCMonth()) later.setUTCDate(0);
  return later;
}
