import { createClient, type Provider, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { type TestServer, testServer } from "./server.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

export interface SocialServer extends TestServer {
  /** http://localhost:…, as providers know it. */
  publicUrl: string;
  /** The real client as the web app makes it: sign-ins end in a code. Its cookies are those of `visitor`, if any. */
  app(visitor?: Visitor): SupabaseClient;
}

/** A server that providers lead back to, with the sandbox in their place. */
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

/** Fetches as a page of the app's does in a browser, which keeps the cookies. */
const fetchAs =
  (visitor: Visitor): typeof fetch =>
  async (...request) => {
    const reply = await fetch(...request);
    for (const header of reply.headers.getSetCookie()) visitor.keep(header);
    return reply;
  };

type Choice = { login: string } | { end: "cancel" | "error" };

/** Sets out to a provider and says there who it is, or ends it; resolves to where the browser is led in the end. */
export async function visit(visitor: Visitor, url: string, choice: Choice, more?: Record<string, string>) {
  const page = await visitor.go(url);
  if (!page.url.pathname.includes("/interaction/"))
    throw new Error(`No sign-in page: ${page.status} ${page.url} ${page.body}`);
  const there = await visitor.go(page.url, choice);
  return visitor.said(there.body.includes("Submitting Callback") ? await visitor.submit(there, more) : there);
}

/** Signs in by a provider as somebody would, with a browser of their own. */
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
