import type { Sender } from "../../data/outbox/outbox.ts";
import { rowsOf } from "../../data/outbox/page-outbox.ts";
import { ownerOf } from "../../data/outbox/waiting-write.ts";
import { config } from "../../lib/browser/config.ts";
import { browserStorage, readJson } from "../../lib/browser/storage.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { SESSION_KEY } from "../../lib/session/session-key.ts";

const senders = new Map<string, Sender>();

/** Sends as the signed-in person. */
export function personSender(userId: string): Sender {
  const existing = senders.get(userId);
  if (existing) return existing;
  const sender: Sender = {
    rows: rowsOf(supabase),
    /**
     * The access token, which expires within the hour. The refresh token stays with the page: a service worker that
     * exchanged an old one would end the session.
     */
    async credentials() {
      const session = readJson(browserStorage, SESSION_KEY) as { access_token?: string } | undefined;
      const { supabaseUrl, supabaseAnonKey: apikey } = config();
      const token = session?.access_token;
      return token ? { owner: ownerOf(userId), supabaseUrl, apikey, by: { token } } : undefined;
    },
  };
  senders.set(userId, sender);
  return sender;
}
