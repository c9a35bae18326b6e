import type { Row } from "../../shared/database.ts";

/** A paid plan, with its terms as sold (Spec §3). */
export type SubscriptionRow = PlanLimits & Pick<Row<"user_subscriptions">, "plan_id" | "expires_at">;

export type PlanLimits = Pick<Row<"subscription_plans">, "name" | "max_memories" | "storage_gb">;

/** A person's limits by the plan in force (Spec §3). */
export interface SubscriptionDetails {
  has_subscription: boolean;
  plan_id: string;
  plan_name: string;
  max_memories: number | null;
  /** Null for a plan that never ends. */
  expires_at: string | null;
  storage_gb: number;
}

export const FREE_PLAN_ID = "skies-starter";

/** The free plan of Spec §9, if its row cannot be loaded. */
export const FREE_LIMITS: PlanLimits = { name: "Skies Starter", max_memories: 1, storage_gb: 1 };

/** The plan in force: the given one, otherwise the free one. */
export const detailsOf = (
  subscription: SubscriptionRow | undefined,
  free: PlanLimits = FREE_LIMITS,
): SubscriptionDetails => {
  const { name, max_memories, storage_gb } = subscription ?? free;
  return {
    has_subscription: subscription !== undefined,
    plan_id: subscription?.plan_id ?? FREE_PLAN_ID,
    plan_name: name,
    max_memories,
    expires_at: subscription?.expires_at ?? null,
    storage_gb,
  };
};

/** How many more memories a plan allows: 0 if none is left, also with more than the limit after a lapsed plan. */
export const memoriesLeft = ({ max_memories }: Pick<SubscriptionDetails, "max_memories">, used: number): number =>
  max_memories === null ? Number.POSITIVE_INFINITY : Math.max(0, max_memories - used);

/** Whether an error means that the plan allows no more memories. */
export const isMemoryLimit = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { hint?: unknown } | undefined)?.hint === "memory_limit";

/** A plan's end is announced this many days before; emails are sent 30 and 7 days before. */
export const NEAR_DAYS = 30;

/** The days until a plan ends, rounded up; null for a plan that never ends. */
export const daysLeft = (expiresAt: string | null, now: Date): number | null =>
  expiresAt === null ? null : Math.max(0, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 86_400_000));
