import { createClient } from "@supabase/supabase-js";
import { QueryClient } from "@tanstack/react-query";
import WebSocket from "ws";
import { registerVisitor } from "../../../web/lib/request/account-ids.ts";
import type { SupabaseClient } from "../../../web/lib/request/database-client.ts";
import { appReads } from "../app-reads.ts";
import type { SizedOwner } from "../owner-of-size.ts";
import type { TestServer } from "../server.ts";
import type { Exchange } from "./send.ts";

const ROOT = "/rest/v1";

/** The parameters with the characters of the protocol as they are, like those of generated requests. */
const readable = (search: string) => search.replace(/%(2C|28|29|3A|21|22|2A)/g, (code) => decodeURIComponent(code));

/** A reader: their bearer token, and whether it names an account. */
interface Reader {
  bearer: string;
  hasAccount: boolean;
}

/**
 * Makes every read of the web app in an owner's memory and album, also where this reader is refused. Resolves to the
 * requests to tables and functions.
 */
export async function appRequests(
  server: TestServer,
  owner: SizedOwner,
  { bearer, hasAccount }: Reader,
): Promise<Exchange[]> {
  const requests: Exchange[] = [];
  const client = createClient(server.url, server.keys.publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
    accessToken: async () => bearer,
    global: {
      fetch: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        if (url.pathname.startsWith(`${ROOT}/`))
          requests.push({
            method: init?.method ?? "GET",
            path: url.pathname.slice(ROOT.length) + readable(url.search),
            headers: Object.fromEntries(new Headers(init?.headers)),
            ...(typeof init?.body === "string" && { body: init.body }),
          });
        return fetch(input, init);
      },
    },
  }) as unknown as SupabaseClient;
  registerVisitor(client, () => hasAccount);
  for (const query of Object.values(await appReads(server, client, owner))) {
    const [cache, options] = [new QueryClient(), query()];
    const read =
      "initialPageParam" in options
        ? cache.fetchInfiniteQuery(options as never)
        : cache.fetchQuery({ ...options, enabled: true } as never);
    // A refusal is an answer, too.
    await read.catch(() => {});
  }
  return requests;
}
