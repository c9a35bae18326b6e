import type { Returned } from "../../../shared/database.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** The server's result of validating a code, with its discount (Spec §3). */
export type VoucherVerdict = Returned<"apply_voucher">;

/** Validates a code on the server (Spec §7). A failure rejects with 'Failed to validate voucher code'. */
export async function validateVoucher(client: SupabaseClient, code: string): Promise<VoucherVerdict> {
  const { data, error } = await client.rpc("apply_voucher", { code_text: code });
  const verdict: Partial<VoucherVerdict> | null = data;
  if (error || typeof verdict?.valid !== "boolean") {
    throw new Error("Failed to validate voucher code", { cause: error });
  }
  return { discount_percentage: 0, message: "", ...verdict, valid: verdict.valid };
}
