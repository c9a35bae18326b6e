import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import type { TestServer } from "./server.ts";

/** A request of a client to tables and functions. */
export interface SentRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
}

/** The root of tables and functions. */
export const REST_ROOT = "/rest/v1";

/** The official client, which tells `onRequest` of its requests to tables and functions as it sends them. */
export const recordingClient = (
  server: Pick<TestServer, "url" | "keys">,
  bearer: string,
  onRequest: (request: SentRequest) => void,
): SupabaseClient =>
  createClient(server.url, server.keys.publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
    accessToken: async () => bearer,
    global: {
      fetch: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        if (url.pathname.startsWith(`${REST_ROOT}/`))
          onRequest({
            method: init?.method ?? "GET",
            url,
            headers: Object.fromEntries(new Headers(init?.headers)),
            ...(typeof init?.body === "string" && { body: init.body }),
          });
        return fetch(input, init);
      },
    },
  });
