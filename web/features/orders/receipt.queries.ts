import { config } from "../../lib/browser/config.ts";
import { requestAsUser, supabase } from "../../lib/request/supabase.ts";

/** The receipt of an order of one's own, as a PDF file in a language. */
export async function fetchReceipt(order: string, language: string): Promise<Blob> {
  const { supabaseUrl, supabaseAnonKey } = config();
  const { data } = await supabase.auth.getSession();
  const reply = await requestAsUser(`${supabaseUrl}/functions/v1/order-receipt`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      apikey: supabaseAnonKey,
      authorization: `Bearer ${data.session?.access_token ?? supabaseAnonKey}`,
    },
    body: JSON.stringify({ order, language }),
  });
  if (!reply.ok) throw new Error("Failed to load the receipt");
  return reply.blob();
}
