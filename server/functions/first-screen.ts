import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { FastifyInstance } from "fastify";
import type { FirstScreen, OpenedShare } from "../../shared/share.ts";

/** What the build makes of `web/first-screen.ts`. */
interface Reader {
  firstScreen(site: string, memoryId: string, send: typeof fetch): Promise<FirstScreen | undefined>;
}

interface Sources {
  app: FastifyInstance;
  publishableKey: string;
  /** The built reader; without it, as beside a development server, pages read for themselves. */
  file: string | undefined;
}

/** Reads what the first screen of an opened memory shows; `site` is where the browser finds the server. */
export type ReadFirstScreen = (
  opened: OpenedShare,
  asked: { site: string; address: string },
) => Promise<FirstScreen | undefined>;

/**
 * Reads what the first screen of an opened memory shows, by the page's own requests, with the token that was just given:
 * nothing is told that the link's holder may not read. Undefined where the page has to read for itself.
 */
export function openFirstScreen({ app, publishableKey, file }: Sources): ReadFirstScreen {
  let reader: Reader | undefined;
  return async ({ token, memoryId, rights }, { site, address }) => {
    if (memoryId === null || rights === "upload" || !file || !existsSync(file)) return undefined;
    reader ??= createRequire(import.meta.url)(file) as Reader;
    const send: typeof fetch = async (input, init = {}) => {
      const { pathname, search } = new URL(String(input));
      const headers = new Headers(init.headers);
      headers.set("apikey", publishableKey);
      headers.set("authorization", `Bearer ${token}`);
      const {
        statusCode,
        payload,
        headers: answered,
      } = await app.inject({
        method: (init.method ?? "GET") as "GET",
        url: pathname + search,
        headers: Object.fromEntries(headers),
        remoteAddress: address,
        ...(init.body ? { payload: String(init.body) } : {}),
      });
      const type = String(answered["content-type"] ?? "application/json");
      return new Response(payload, { status: statusCode, headers: { "content-type": type } });
    };
    // The page reads whatever failed here for itself, and says what is wrong.
    return reader.firstScreen(site, memoryId, send).catch(() => undefined);
  };
}
