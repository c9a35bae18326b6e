import { queryOptions, useQuery } from "@tanstack/react-query";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { serverNow } from "../lib/request/server-clock.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";
import { detailsOf, FREE_PLAN_ID, memoriesLeft, type SubscriptionDetails } from "./subscription.ts";

export { daysLeft, isMemoryLimit, NEAR_DAYS, type SubscriptionDetails } from "./subscription.ts";

// Spec §7 reads the linked plan. The terms as sold are in the row itself, and stay when the catalogue changes.
const HELD = "plan_id, expires_at, name, max_memories, storage_gb, subscription_plans(name, max_memories, storage_gb)";
// A timer's maximum delay of 2³¹ ms is 24 days.
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * A person's plan in force (Spec §4): the active one that expires last, otherwise the free one. The request policy
 * renews an expired token up to 3 times (Spec §8).
 */
export const subscriptionQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.subscription(userId),
    queryFn: ({ signal }) => readSubscription(client, userId, signal),
    // A plan may end while the page is open.
    refetchInterval: ({ state }) => {
      const endsAt = state.data?.expires_at;
      return endsAt ? Math.min(Math.max(Date.parse(endsAt) - serverNow(), 1000), LONGEST_WAIT_MS) : false;
    },
  });

/** Loads the plan in force; fails with 'Failed to fetch subscription details' (Spec §8). */
export async function readSubscription(
  client: SupabaseClient,
  userId: string,
  signal = new AbortController().signal,
): Promise<SubscriptionDetails> {
  const failed = (cause: unknown) => new Error("Failed to fetch subscription details", { cause });
  const { data, error } = await client
    .from("user_subscriptions")
    .select(HELD)
    .eq("user_id", userId)
    .eq("status", "active")
    // Compared with the database's clock, because a browser's may be wrong.
    .gt("expires_at", "now")
    .order("expires_at", { ascending: false })
    .limit(1)
    .abortSignal(signal);
  if (error) throw failed(error);
  if (data[0]) return detailsOf(data[0]);
  const free = await client
    .from("subscription_plans")
    .select("name, max_memories, storage_gb")
    .eq("id", FREE_PLAN_ID)
    .abortSignal(signal)
    .maybeSingle();
  if (free.error) throw failed(free.error);
  return detailsOf(undefined, free.data ?? undefined);
}

/** The plan in force; undefined while loading, the free one if it cannot be loaded (Spec §8). */
export function useSubscription(client: SupabaseClient, userId: string) {
  const { data, error } = useQuery(subscriptionQuery(client, userId));
  return { details: data ?? (error ? detailsOf(undefined) : undefined), error: data ? null : error };
}

/** The name and end of a person's last, expired plan; null if there is none. */
export const lapsedPlanQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.subscription(userId, "lapsed"),
    queryFn: async ({ signal }): Promise<{ name: string; expires_at: string } | null> => {
      const data = await client
        .from("user_subscriptions")
        .select("expires_at, name")
        .eq("user_id", userId)
        .eq("status", "active")
        .lte("expires_at", "now")
        .order("expires_at", { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .then(unwrap("Failed to fetch subscription details"));
      return data[0] ?? null;
    },
  });

/**
 * Whether a person's plan allows another memory, asked once for each new memory. `full` is the plan's maximum if it is
 * reached, otherwise null. If this cannot be read, creation continues, and the server decides.
 */
export const memoryRoomQuery = (client: SupabaseClient, userId: string, round: number) =>
  queryOptions({
    queryKey: queryKeys.memoryRoom(userId, round),
    queryFn: async ({ signal }): Promise<{ full: number | null }> => {
      const [plan, heldPlan] = await Promise.all([
        readSubscription(client, userId, signal).catch(() => undefined),
        client.from("memories").select("id", { head: true, count: "exact" }).eq("user_id", userId).abortSignal(signal),
      ]);
      return { full: plan && memoriesLeft(plan, heldPlan.count ?? 0) === 0 ? plan.max_memories : null };
    },
    // The draft itself counts once it has content, and must not block its own page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
