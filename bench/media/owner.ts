import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { openSecrets } from "../../server/settings/secrets.ts";
import type { Database } from "../../shared/database.ts";

/** A signed-in person with a plan and a memory. */
export interface Owner {
  client: SupabaseClient<Database>;
  service: SupabaseClient<Database>;
  publishableKey: string;
  memoryId: string;
  headers: Record<string, string>;
  /** An unused object name in the memory. */
  freshName(ending: string): string;
  /** Deletes everything stored in the memory. */
  empty(): Promise<void>;
}

export async function makeOwner(url: string, dataDir: string): Promise<Owner> {
  const { publishableKey, secretKey } = await openSecrets({ dataDir });
  const connect = (key: string) =>
    createClient<Database>(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
  const [client, service] = [connect(publishableKey), connect(secretKey)];
  const { data, error } = await client.auth.signUp({
    email: `${randomUUID()}@example.com`,
    password: `a good password ${randomUUID()}`,
    options: { data: { full_name: "Ada Arditi" } },
  });
  if (error || !data.session || !data.user) throw error ?? new Error("Nobody was signed up");
  const plan = { user_id: data.user.id, plan_id: "skies-master", expires_at: "2100-01-01" };
  await service.from("user_subscriptions").insert(plan).throwOnError();
  const memory = await client.from("memories").insert({ person_name: "Rosa" }).select("id").single().throwOnError();
  const memoryId: string = memory.data.id;
  return {
    client,
    service,
    publishableKey,
    memoryId,
    headers: { authorization: `Bearer ${data.session.access_token}` },
    freshName: (ending) => `${memoryId}/${randomUUID()}.${ending}`,
    async empty() {
      const bucket = service.storage.from("media");
      for (;;) {
        const { data: listed } = await bucket.list(memoryId, { limit: 1000 });
        if (!listed || listed.length === 0) return;
        const removed = await bucket.remove(listed.map(({ name }) => `${memoryId}/${name}`));
        if (removed.error) throw removed.error;
      }
    },
  };
}
