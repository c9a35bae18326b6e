import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import type { Commission } from "./affiliates.queries.ts";
import { csvLines } from "./csv.ts";

const PAGE = 500;
const NAMES = ["date", "currency", "paid", "earned", "reversed", "amount", "payable_from", "state"];

/** All commissions that the caller may see of theirs, page by page, as a CSV file. */
export async function commissionFile(client: SupabaseClient, affiliateId: string): Promise<Blob> {
  const parts: string[] = [];
  for await (const line of csvLines(NAMES, commissions(client, affiliateId))) parts.push(line);
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

async function* commissions(client: SupabaseClient, affiliateId: string): AsyncGenerator<Commission> {
  for (let from = 0; ; from += PAGE) {
    const data = await client
      .from("commissions")
      .select("id, currency, base, earned, reversed, amount, held, earned_at, payable_at")
      .eq("affiliate_id", affiliateId)
      .order("earned_at")
      .order("id")
      .range(from, from + PAGE - 1)
      .then(unwrap("Failed to load commissions"));
    yield* data;
    if (data.length < PAGE) return;
  }
}
