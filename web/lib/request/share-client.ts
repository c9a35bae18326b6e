import { FunctionsClient } from "@supabase/functions-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import type { RealtimeClient } from "@supabase/realtime-js";
import { StorageClient } from "@supabase/storage-js";
import type { Database } from "../../../shared/database.ts";
import { config } from "../browser/config.ts";
import { firstPictures } from "../browser/first-pictures.ts";
import { claimsIn } from "../session/token-claims.ts";
import { registerVisitor } from "./account-ids.ts";
import type { SupabaseClient } from "./database-client.ts";
import { requestPolicy } from "./request-policy.ts";

export interface ShareSession {
  /** The share token to send as bearer, from memory. */
  token: () => string;
  /** Renews the token without a PIN; rejects when the link no longer opens. */
  renew: () => Promise<string>;
  /** Called when the link does not open any more: the visitor has to open it again. */
  onClosed: () => void;
}

/**
 * A client with a share link's access, independent of the session in this browser. It consists of parts of the official
 * client without sign-in, the largest part; on a slow network that saves half a second. Realtime is loaded after a
 * memory's first pictures.
 */
export function shareClient(session: ShareSession): SupabaseClient {
  const { supabaseUrl, supabaseAnonKey: apikey } = config();
  const send = requestPolicy({ refresh: session.renew, onExpired: session.onClosed });
  const reads = new Set<Promise<Response>>();
  let renewal: Promise<unknown> | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    // That of an offline copy has no signature.
    if (session.token().endsWith(".")) {
      renewal ??= session.renew().finally(() => {
        renewal = undefined;
      });
      await renewal;
    }
    const headers = new Headers(init?.headers);
    headers.set("apikey", apikey);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${session.token()}`);
    const read = send(input, { ...init, headers });
    reads.add(read);
    const end = () => reads.delete(read);
    read.then(end, end);
    return read;
  };
  const read = async () => {
    // The first screen sends its reads in the current turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve));
    await Promise.allSettled(reads);
    await firstPictures();
  };
  const functions = new FunctionsClient(`${supabaseUrl}/functions/v1`, { customFetch: fetch });
  const realtime = openRealtime(`${supabaseUrl.replace(/^http/, "ws")}/realtime/v1`, apikey, session, read);
  const client = {
    ...rowsAndObjects(supabaseUrl, fetch),
    functions,
    realtime,
    channel: realtime.channel,
    removeChannel: realtime.removeChannel,
  };
  const visitor = client as unknown as SupabaseClient;
  registerVisitor(visitor, () => claimsIn(session.token()).role === "authenticated");
  return visitor;
}

/** The parts of the official client for rows and signed URLs. */
export function rowsAndObjects(supabaseUrl: string, fetch: typeof globalThis.fetch) {
  const rows = new PostgrestClient<Database>(`${supabaseUrl}/rest/v1`, { fetch, retry: false });
  return {
    from: rows.from.bind(rows),
    rpc: rows.rpc.bind(rows),
    storage: new StorageClient(`${supabaseUrl}/storage/v1`, {}, fetch),
  };
}

/**
 * The realtime part. `setAuth`, its first call, loads it after `read`, so that it does not slow down the first screen.
 */
function openRealtime(url: string, apikey: string, session: ShareSession, read: () => Promise<void>) {
  let client: RealtimeClient | undefined;
  const loaded = () => {
    if (!client) throw new Error("Realtime is used before setAuth()");
    return client;
  };
  return {
    async setAuth() {
      if (!client) await read();
      const { RealtimeClient } = await import("@supabase/realtime-js");
      client ??= new RealtimeClient(url, { params: { apikey }, accessToken: async () => session.token() });
      await client.setAuth();
    },
    channel: (...args: Parameters<RealtimeClient["channel"]>) => loaded().channel(...args),
    removeChannel: (...args: Parameters<RealtimeClient["removeChannel"]>) => loaded().removeChannel(...args),
  };
}
