import { queryOptions } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";

/** A plan that a person holds or that is queued: a user_subscriptions row, as sold. */
export type HeldPlan = Pick<
  Row<"user_subscriptions">,
  "plan_id" | "name" | "status" | "starts_at" | "expires_at" | "amount" | "credit"
>;

/** A person's current and queued plans, in order. */
export const heldPlansQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.subscription(userId, "held"),
    queryFn: async ({ signal }): Promise<HeldPlan[]> =>
      client
        .from("user_subscriptions")
        .select("plan_id, name, status, starts_at, expires_at, amount, credit")
        .eq("user_id", userId)
        .in("status", ["active", "waiting"])
        .gt("expires_at", "now")
        .order("expires_at")
        .abortSignal(signal)
        .then(unwrap("Failed to fetch subscription details")),
  });
