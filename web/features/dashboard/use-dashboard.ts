import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { heldPlansQuery } from "../../data/held-plans.queries.ts";
import { memoryCountQuery } from "../../data/memories.queries.ts";
import { lapsedPlanQuery, useSubscription } from "../../data/plans.queries.ts";
import { memoryUsesQuery, storageQuery } from "../../data/storage.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { activityQuery } from "./activity.queries.ts";

/** All data of the dashboard, shown together once it has loaded or failed, so that nothing jumps. */
export function useDashboard(userId: string) {
  const storage = useQuery(storageQuery(supabase, userId));
  const uses = useInfiniteQuery(memoryUsesQuery(supabase, userId));
  const subscription = useSubscription(supabase, userId);
  const onFreePlan = subscription.details?.has_subscription === false && !subscription.error;
  const lapsed = useQuery({ ...lapsedPlanQuery(supabase, userId), enabled: onFreePlan });
  const heldPlans = useQuery({
    ...heldPlansQuery(supabase, userId),
    enabled: subscription.details?.has_subscription === true,
  });
  const memories = useQuery(memoryCountQuery(supabase, userId));
  const activity = useQuery(activityQuery(supabase, userId));
  const ready =
    subscription.details !== undefined &&
    ![storage, uses, memories, activity].some(({ isPending }) => isPending) &&
    !lapsed.isLoading &&
    !heldPlans.isLoading;
  return {
    ready,
    storage,
    uses,
    subscription,
    lapsed: onFreePlan ? lapsed.data : null,
    /** The plan that follows the current one. */
    next: heldPlans.data?.find(({ status }) => status === "waiting"),
    memories,
    activity,
  };
}

export type Dashboard = ReturnType<typeof useDashboard>;
