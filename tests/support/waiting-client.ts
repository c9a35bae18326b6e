import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import type { TestServer } from "./server.ts";

/** A client that waits for a code with its verifier, like a browser in the PKCE flow. */
export function waitingClient(server: Pick<TestServer, "url" | "keys">): SupabaseClient {
  const values = new Map<string, string>();
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  return createClient(server.url, server.keys.publishable, {
    auth: { flowType: "pkce", storage, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocket as never },
  });
}
