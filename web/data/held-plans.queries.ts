import type { SupabaseClient } from "@supabase/supabase-js";
import { queryOptions } from "@tanstack/react-query";

/** A plan that somebody holds or that waits for its turn: a user_subscriptions row, as sold. */
export interface HeldPlan {
  plan_id: string;
  name: string;
  status: "active" | "waiting";
  starts_at: string;
  expires_at: string;
  /** What was paid for it, in pence or cents. */
  amount: number;
  /** What went into it from plans it replaced. */
  credit: number;
}

/** The plans that a person holds now or that wait for their turn, in their order. */
export const heldPlansQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: ["subscription", userId, "held"],
    queryFn: async ({ signal }): Promise<HeldPlan[]> => {
      const { data, error } = await client
        .from("user_subscriptions")
        .select("plan_id, name, status, starts_at, expires_at, amount, credit")
        .eq("user_id", userId)
        .in("status", ["active", "waiting"])
        .gt("expires_at", "now")
        .order("expires_at")
        .abortSignal(signal)
        .overrideTypes<HeldPlan[], { merge: false }>();
      if (error) throw new Error("Failed to fetch subscription details", { cause: error });
      return data;
    },
  });
