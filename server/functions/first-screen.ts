import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { FastifyInstance } from "fastify";
import type { FirstScreen, OpenedShare } from "../../shared/share.ts";

/** The module that the build makes of `web/first-screen.ts`. */
interface Reader {
  firstScreen(
    site: string,
    memoryId: string,
    send: typeof fetch,
    language?: "en" | "it",
  ): Promise<FirstScreen | undefined>;
}

interface Sources {
  app: FastifyInstance;
  publishableKey: string;
  /** The path of the built module. Beside a development server there is none, and pages load their data themselves. */
  file: string | undefined;
}

/** Reads the data of a memory's first screen; `site` is the server's URL as the browser uses it. */
export type ReadFirstScreen = (
  opened: OpenedShare,
  options: { site: string; address: string; language?: "en" | "it" },
) => Promise<FirstScreen | undefined>;

/**
 * Reads the data of a memory's first screen by the page's own requests and with the new share token, so the same
 * permissions apply. Undefined if the page has to load the data itself.
 */
export function openFirstScreen({ app, publishableKey, file }: Sources): ReadFirstScreen {
  let reader: Reader | undefined;
  return async ({ token, memoryId, rights }, { site, address, language }) => {
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
    // After a failure the page loads the data itself, and shows the error.
    return reader.firstScreen(site, memoryId, send, language).catch(() => undefined);
  };
}
