import type { SupabaseClient } from "@supabase/supabase-js";

/** What `apply_voucher` says of a code. */
export async function askAbout(client: SupabaseClient, code: string): Promise<unknown> {
  const { data } = await client.rpc("apply_voucher", { code_text: code }).throwOnError();
  return data;
}
