import { existsSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { OpenedShare } from "../../shared/share.ts";
import type { Database } from "../database/database.ts";
import { fairQueue } from "../database/fair-queue.ts";
import type { Renderer } from "../rendering/render-thread.ts";
import type { RenderRequest } from "../rendering/render-worker.ts";
import { openScreenCache } from "./screen-cache.ts";

interface Sources {
  app: FastifyInstance;
  db: Database;
  publishableKey: string;
  renderer: Renderer;
  /** The path of the built module. Beside a development server there is none, and pages load their data themselves. */
  file: string | undefined;
}

/**
 * Reads the data of a memory's first screen, as JSON text; `site` is the server's URL as the browser uses it, and
 * `hasAccount` tells whether the link was opened by a signed-in person. Undefined if the page has to load the data itself.
 */
export type ReadFirstScreen = (
  share: OpenedShare,
  options: { site: string; address: string; language: "en" | "it" | undefined; hasAccount: boolean },
) => Promise<string | undefined>;

/** Screens that are read at once. One takes about ten requests. */
const AT_ONCE = 4;
/** Milliseconds after which the page loads the data itself instead of waiting for its turn. */
const MAX_WAIT_MS = 3000;
const MAX_WAITING_PER_ADDRESS = 100;

/**
 * Reads first screens by the page's own requests and with the new share token, so the same permissions apply. Addresses
 * take turns. A visitor's screen is cached until a row of it changes; a signed-in person may see more, so theirs is not.
 */
export function openFirstScreen({ app, db, publishableKey, renderer, file }: Sources): ReadFirstScreen {
  const cache = openScreenCache(db);
  const queue = fairQueue({
    width: AT_ONCE,
    maxWaitMs: MAX_WAIT_MS,
    maxWaitingPerAddress: MAX_WAITING_PER_ADDRESS,
  });

  return async ({ token, memoryId, linkId, version, rights, guest }, { site, address, language, hasAccount }) => {
    if (memoryId === null || rights === "upload" || !file || !existsSync(file)) return undefined;
    const answer = async ({ method, url, headers, body }: RenderRequest) => {
      const reply = await app.inject({
        method: method as "GET",
        url,
        headers: { ...headers, apikey: publishableKey, authorization: `Bearer ${token}` },
        remoteAddress: address,
        ...(body !== undefined && { payload: body }),
      });
      const type = String(reply.headers["content-type"] ?? "application/json");
      return { status: reply.statusCode, type, body: reply.payload };
    };
    const read = async () => {
      const release = await queue.acquire({ address, caller: linkId });
      try {
        return await renderer.render({ kind: "screen", file, site, memoryId, language }, answer);
      } finally {
        release();
      }
    };
    const key = { memoryId, linkId, version, guestId: guest?.id ?? null, site, language };
    // After a failure the page loads the data itself, and shows the error.
    return (hasAccount ? read() : cache.get(key, read)).catch(() => undefined);
  };
}
