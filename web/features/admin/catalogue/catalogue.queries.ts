import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Returned, Row } from "../../../../shared/database.ts";
import { typedVoucher } from "../../../../shared/typed-text.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshingMutation } from "../../../data/refreshing.ts";
import { saveOver } from "../../../data/save-over.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

export type VoucherRow = Row<"vouchers">;
/** A voucher with the number of paid uses, and of uses reserved by unpaid orders. */
export type UsedVoucher = VoucherRow & { paid: number; reserved: number };
export type Campaign = Returned<"campaign_use">[number];

const PAGE = 30;
const NEWEST_FIRST: PageOrder<Pick<VoucherRow, "created_at" | "id">> = [
  ["created_at", "down"],
  ["id", "up"],
];

/** Vouchers outside of campaigns, newest first. `find` is a complete code; it also finds vouchers of campaigns. */
export const vouchersQuery = (client: SupabaseClient, find: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskVouchers("list", find),
    queryFn: async ({ pageParam, signal }): Promise<UsedVoucher[]> => {
      const all = client.from("vouchers").select("*");
      const query = find ? all.eq("code", typedVoucher(find)) : all.is("campaign_id", null);
      const rows = await inPages(query, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load vouchers"));
      const uses = await client
        .rpc("voucher_use", { vouchers: rows.map(({ id }) => id) })
        .abortSignal(signal)
        .then(unwrap("Failed to load vouchers"));
      return rows.map((row) => {
        const use = uses.find(({ voucher_id }) => voucher_id === row.id);
        return { ...row, paid: use?.paid ?? 0, reserved: use?.reserved ?? 0 };
      });
    },
    initialPageParam: undefined as Pick<VoucherRow, "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    // Keeps rows and focus while the search changes.
    placeholderData: keepPreviousData,
  });

/** All campaigns with the number of used codes. */
export const campaignsQuery = (client: SupabaseClient) =>
  queryOptions({
    queryKey: queryKeys.deskVouchers("campaigns"),
    queryFn: async ({ signal }): Promise<Campaign[]> =>
      client.rpc("campaign_use").abortSignal(signal).then(unwrap("Failed to load campaigns")),
  });

/** A voucher's discount and scope. */
export interface VoucherFields {
  code: string;
  percentage: number;
  ends_at: string | null;
  max_uses: number | null;
  max_uses_per_person: number | null;
  /** Null for all plans. */
  plan_ids: string[] | null;
  applies_to_cards: boolean;
  active: boolean;
  note: string;
}

const refused = ({ error }: { error: { message: string } | null }) => {
  if (error) throw new Error(error.message, { cause: error });
};

async function changeVoucher(base: VoucherRow, changes: Partial<VoucherFields>) {
  const table = () => supabase.from("vouchers");
  try {
    await saveOver<VoucherRow>(base, changes, {
      failure: "Failed to save the voucher",
      write: (changed) => table().update(changed).eq("id", base.id).select().maybeSingle(),
      read: () => table().select().eq("id", base.id).maybeSingle(),
    });
  } catch (error) {
    // The server's reason, e.g. that another voucher has this code.
    refused({ error: ((error as Error).cause as { message: string } | undefined) ?? null });
    throw error;
  }
}

/**
 * Creates a voucher, or saves changes over the row on which they are based. Rejects with `EditConflict` if another
 * administrator changed the same fields.
 */
export function useSaveVoucher() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (save: { fields: VoucherFields } | { base: VoucherRow; changes: Partial<VoucherFields> }) =>
      "base" in save
        ? changeVoucher(save.base, save.changes)
        : refused(await supabase.from("vouchers").insert(save.fields)),
    onSuccess: () => refresh(cache, queryKeys.deskVouchers()),
  });
}

interface CampaignFields extends Pick<VoucherFields, "percentage" | "ends_at" | "plan_ids" | "applies_to_cards"> {
  name: string;
  codes: number;
  prefix: string;
}

/** Creates a batch of single-use codes; resolves to them. */
export function useCreateCampaign() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (fields: CampaignFields) => {
      const { plan_ids, ends_at, ...rest } = fields;
      const { data, error } = await supabase.rpc("create_campaign", {
        ...rest,
        ...(plan_ids && { plan_ids }),
        ...(ends_at && { ends_at }),
      });
      if (error) throw new Error(error.message, { cause: error });
      return data as { id: string; codes: string[] };
    },
    onSuccess: () => refresh(cache, queryKeys.deskVouchers()),
  });
}

/** Switches all codes of a campaign on or off. */
export const useSwitchCampaign = () =>
  useRefreshingMutation([queryKeys.deskVouchers()], async ({ id, active }: Pick<Campaign, "id" | "active">) =>
    refused(await supabase.from("campaigns").update({ active }).eq("id", id)),
  );

export async function codesOf(campaign: string): Promise<string[]> {
  const rows = await supabase
    .from("vouchers")
    .select("code")
    .eq("campaign_id", campaign)
    .order("code")
    .then(unwrap("Failed to load the codes"));
  return rows.map(({ code }) => code);
}
