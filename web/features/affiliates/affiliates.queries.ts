import { queryOptions } from "@tanstack/react-query";
import type { Returned, Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshingMutation } from "../../data/refreshing.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

export type Affiliate = Pick<Row<"affiliates">, "id" | "code" | "state">;

/** Amounts in pence or cents; earned = reversed + waiting + payable + paid_out. */
export type Balance = Returned<"my_affiliate_balances">[number];

/** The commission of a purchase; `base` is the price without tax. Money in pence or cents. */
export type Commission = Pick<
  Row<"commissions">,
  "id" | "currency" | "base" | "earned" | "reversed" | "amount" | "held" | "earned_at" | "payable_at"
>;

export type Payout = Pick<Row<"payouts">, "id" | "currency" | "amount" | "reference" | "paid_at">;

export interface AffiliateFigures {
  clicks: number;
  balances: Balance[];
  commissions: Commission[];
  payouts: Payout[];
}

/** The person's affiliate row; null without one. */
export const affiliateQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.affiliate(userId),
    queryFn: async ({ signal }): Promise<Affiliate | null> =>
      client
        .from("affiliates")
        .select("id, code, state")
        .eq("user_id", userId)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load the affiliate")),
  });

/** An affiliate's figures; commissions and payouts newest first. */
export const figuresQuery = (client: SupabaseClient, affiliateId: string) =>
  queryOptions({
    queryKey: queryKeys.affiliate("figures", affiliateId),
    queryFn: async ({ signal }): Promise<AffiliateFigures> => {
      const [clicks, balances, commissions, payouts] = await Promise.all([
        client.from("affiliate_clicks").select("clicks").eq("affiliate_id", affiliateId).abortSignal(signal),
        client.rpc("my_affiliate_balances").abortSignal(signal),
        client
          .from("commissions")
          .select("id, currency, base, earned, reversed, amount, held, earned_at, payable_at")
          .eq("affiliate_id", affiliateId)
          .order("earned_at", { ascending: false })
          .order("id")
          .abortSignal(signal),
        client
          .from("payouts")
          .select("id, currency, amount, reference, paid_at")
          .eq("affiliate_id", affiliateId)
          .order("paid_at", { ascending: false })
          .order("id")
          .abortSignal(signal),
      ]);
      const error = clicks.error ?? balances.error ?? commissions.error ?? payouts.error;
      if (error) throw new Error("Failed to load commissions", { cause: error });
      return {
        clicks: (clicks.data ?? []).reduce((sum, day) => sum + Number(day.clicks), 0),
        balances: balances.data ?? [],
        commissions: commissions.data ?? [],
        payouts: payouts.data ?? [],
      };
    },
  });

/** Joins the programme; the server generates the code. */
export const useJoin = (client: SupabaseClient, userId: string) =>
  useRefreshingMutation([queryKeys.affiliate(userId)], async () => {
    const { error } = await client.from("affiliates").insert({ user_id: userId });
    // 23505: the person has joined in another tab.
    if (error && error.code !== "23505") throw new Error("Failed to join", { cause: error });
  });

/** Leaves the programme, or returns to it. */
export const useAffiliateState = (client: SupabaseClient, userId: string) =>
  useRefreshingMutation([queryKeys.affiliate(userId)], async (state: "active" | "left") => {
    await client
      .from("affiliates")
      .update({ state })
      .eq("user_id", userId)
      .then(unwrap("Failed to change the affiliate"));
  });
