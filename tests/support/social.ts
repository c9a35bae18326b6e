import { createClient, type Provider, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { type TestServer, testServer } from "./server.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

export interface SocialServer extends TestServer {
  /** The public URL for providers, http://localhost:…. */
  publicUrl: string;
  /** The official client like in the web app, with PKCE and the cookies of `visitor`, if any. */
  app(visitor?: Visitor): SupabaseClient;
}

/** A server with the sandbox as its sign-in providers. */
export async function socialServer(): Promise<SocialServer> {
  const PORT = String(await freePort());
  const server = await testServer({ PORT }, undefined, { sandboxes: true });
  const publicUrl = `http://localhost:${PORT}`;
  return {
    ...server,
    publicUrl,
    app(visitor) {
      const items = new Map<string, string>();
      const storage = {
        getItem: (key: string) => items.get(key) ?? null,
        setItem: (key: string, value: string) => void items.set(key, value),
        removeItem: (key: string) => void items.delete(key),
      };
      return createClient(publicUrl, server.keys.publishable, {
        auth: { flowType: "pkce", storage, persistSession: true, autoRefreshToken: false, detectSessionInUrl: false },
        realtime: { transport: WebSocket as never },
        global: { fetch: visitor ? fetchAs(visitor) : fetch },
      });
    },
  };
}

/** A fetch like that of a page of the app, with cookies. */
const fetchAs =
  (visitor: Visitor): typeof fetch =>
  async (...request) => {
    const reply = await fetch(...request);
    for (const header of reply.headers.getSetCookie()) visitor.keep(header);
    return reply;
  };

type Choice = { login: string } | { end: "cancel" | "error" };

/** Signs in at a provider or cancels; resolves to the final page. */
export async function visit(visitor: Visitor, url: string, choice: Choice, more?: Record<string, string>) {
  const page = await visitor.go(url);
  if (!page.url.pathname.includes("/interaction/"))
    throw new Error(`No sign-in page: ${page.status} ${page.url} ${page.body}`);
  const there = await visitor.go(page.url, choice);
  return visitor.said(there.body.includes("Submitting Callback") ? await visitor.submit(there, more) : there);
}

/** Signs in by a provider with a new browser. */
export async function signInBy(
  { publicUrl }: SocialServer,
  client: SupabaseClient,
  provider: Provider,
  choice: Choice,
  { visitor = openVisitor(), more }: { visitor?: Visitor; more?: Record<string, string> } = {},
) {
  const redirectTo = `${publicUrl}/auth/callback?for=social`;
  const { data, error } = await client.auth.signInWithOAuth({
    provider,
    options: { redirectTo, skipBrowserRedirect: true },
  });
  if (error || !data.url) throw error ?? new Error("There is no address to go to");
  return visit(visitor, data.url, choice, more);
}
