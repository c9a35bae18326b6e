import { config } from "../../lib/browser/config.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { requestAsUser, supabase } from "../../lib/request/supabase.ts";
import type { PersonalEmail, SendDeps } from "./send-email.ts";

async function isUnsubscribed(client: SupabaseClient, email: string): Promise<boolean> {
  const { data, error } = await client
    .from("email_preferences")
    .select("unsubscribed")
    .eq("email", email.trim().toLowerCase())
    .maybeSingle();
  if (error) throw error;
  return data?.unsubscribed ?? false;
}

async function post(mail: PersonalEmail): Promise<Response> {
  const { supabaseUrl, supabaseAnonKey } = config();
  const { data } = await supabase.auth.getSession();
  return requestAsUser(`${supabaseUrl}/.netlify/functions/send-email`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      apikey: supabaseAnonKey,
      authorization: `Bearer ${data.session?.access_token ?? supabaseAnonKey}`,
    },
    body: JSON.stringify(mail),
  });
}

/** Dependencies for sending emails as the signed-in person. */
export const emailDeps: SendDeps = { isUnsubscribed: (email) => isUnsubscribed(supabase, email), post };
