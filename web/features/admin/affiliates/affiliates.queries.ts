import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Returned, Row } from "../../../../shared/database.ts";
import type { Currency } from "../../../../shared/money.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshingMutation } from "../../../data/refreshing.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

/** Amounts in pence or cents. */
export interface Balance {
  currency: Currency;
  earned: number;
  paid_out: number;
  payable: number;
}
export type DeskAffiliate = Omit<Returned<"desk_affiliates">[number], "balances" | "state" | "email"> & {
  balances: Balance[];
  state: Row<"affiliates">["state"];
  /** Null for a deleted account. */
  email: string | null;
};
export type PayoutRow = Pick<Row<"payouts">, "id" | "currency" | "amount" | "reference" | "paid_at"> & {
  affiliate: Pick<Row<"affiliates">, "code"> | null;
};

const PAGE = 50;

/** All affiliates, newest first, in pages; `find` is a code or the beginning of an address. */
export const deskAffiliatesQuery = (client: SupabaseClient, find: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskAffiliates("list", find),
    queryFn: async ({ pageParam, signal }): Promise<DeskAffiliate[]> =>
      client
        .rpc("desk_affiliates", {
          find,
          size: PAGE,
          ...(pageParam && { after: pageParam.created_at, after_id: pageParam.id }),
        })
        .abortSignal(signal)
        .then(unwrap("Failed to load affiliates")) as unknown as Promise<DeskAffiliate[]>,
    initialPageParam: undefined as Pick<DeskAffiliate, "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    // Keeps rows and focus while the search changes.
    placeholderData: keepPreviousData,
  });

const NEWEST_FIRST: PageOrder<Pick<PayoutRow, "paid_at" | "id">> = [
  ["paid_at", "down"],
  ["id", "up"],
];

/** All payouts, newest first, in pages. */
export const payoutsQuery = (client: SupabaseClient) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskAffiliates("payouts"),
    queryFn: async ({ pageParam, signal }): Promise<PayoutRow[]> => {
      const all = client.from("payouts").select("id, currency, amount, reference, paid_at, affiliate:affiliates(code)");
      return inPages(all, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load payouts"));
    },
    initialPageParam: undefined as Pick<PayoutRow, "paid_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** Returns a mutation of affiliates or payouts that reloads both. */
const useChange = <Given>(change: (input: Given) => PromiseLike<{ error: { message: string } | null }>) =>
  useRefreshingMutation([queryKeys.deskAffiliates()], async (input: Given) => {
    const { error } = await change(input);
    if (error) throw new Error(error.message, { cause: error });
  });

/** Records that an affiliate was paid; `amount` is in pounds or euros. */
export const useRecordPayout = () =>
  useChange((payout: { email: string; amount: number; currency: Currency; reference: string }) =>
    supabase.rpc("record_payout", payout),
  );

/** Deletes a payout that was recorded by mistake. */
export const useUndoPayout = () => useChange((id: string) => supabase.from("payouts").delete().eq("id", id));

/** Pauses an affiliate, whose link then earns nothing, or resumes them. */
export const useAffiliateState = () =>
  useChange(({ id, state }: Pick<DeskAffiliate, "id" | "state">) =>
    supabase.from("affiliates").update({ state }).eq("id", id),
  );
