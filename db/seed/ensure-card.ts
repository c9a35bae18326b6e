import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../shared/database.ts";

/** The delivery address of the demonstration's card. */
const DELIVERY = {
  name: "Alice Bellwood",
  address: { line1: "3 Mill Lane", city: "Hebden Bridge", postal_code: "HX7 8AA", country: "GB" },
};

interface Bearer {
  userId: string;
  email: string;
  memory: { id: string; person_name: string };
  dates: string;
}

/** Creates, with the service key, one sent card that a person bought for their memory. Resolves to the card's code. */
export async function ensureCard(
  service: SupabaseClient<Database>,
  { userId, email, memory, dates }: Bearer,
): Promise<string> {
  const existing = await service.from("metal_cards").select("code").eq("user_id", userId).limit(1).throwOnError();
  if (existing.data[0]) return existing.data[0].code;
  const order = await service
    .from("orders")
    .insert({ user_id: userId, email, currency: "GBP", subtotal: 2500, total: 2500, delivery: DELIVERY })
    .select("id")
    .single()
    .throwOnError();
  const engraving = { name: memory.person_name, dates, finish: "steel", language: "en", memory_id: memory.id };
  await service
    .from("order_items")
    .insert({
      order_id: order.data.id,
      kind: "card",
      product_id: "metal-card",
      quantity: 1,
      unit_amount: 2500,
      total: 2500,
      terms: { name: "Metal card" },
      details: { engraving },
    })
    .throwOnError();
  await service.from("orders").update({ status: "paid" }).eq("id", order.data.id).throwOnError();
  const card = await service
    .from("metal_cards")
    .update({ making: "sent" })
    .eq("order_id", order.data.id)
    .select("code")
    .single()
    .throwOnError();
  return card.data.code;
}
