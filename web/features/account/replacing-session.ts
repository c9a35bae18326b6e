import { supabase } from "../../lib/request/supabase.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";

/** Opens a session and ends the previous one in this browser, so that one device has one session. */
export async function replacingSession<T>(open: () => Promise<T>): Promise<T> {
  const before = await present();
  const result = await open();
  const after = await present();
  if (before && after && before.user === after.user && before.id !== after.id) {
    const { error } = await supabase.rpc("end_session", { session_id: before.id });
    if (error) console.warn("The earlier session of this device could not be ended", error);
  }
  return result;
}

async function present() {
  const { data } = await supabase.auth.getSession();
  if (!data.session) return undefined;
  const { session_id } = claimsIn(data.session.access_token);
  return { id: String(session_id), user: data.session.user.id };
}
