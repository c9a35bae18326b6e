import type { FirstScreen } from "../shared/share.ts";
import type { Language } from "./i18n/languages.ts";
import { registerVisitor } from "./lib/request/account-ids.ts";
import type { SupabaseClient } from "./lib/request/database-client.ts";
import { rowsAndObjects } from "./lib/request/share-client.ts";
import { readFirstScreen } from "./pages/memory/first-screen.tsx";

/**
 * The server's entry point for the first screen of a memory. `send` sends requests with the visitor's token; `site` is the
 * server's URL as the browser uses it. With a language, the hero is rendered.
 */
export const firstScreen = (
  site: string,
  memoryId: string,
  send: typeof fetch,
  language?: Language,
): Promise<FirstScreen | undefined> => {
  const client = rowsAndObjects(site, send) as unknown as SupabaseClient;
  // The page of a link shows no actions for which it would need them.
  registerVisitor(client, () => false);
  return readFirstScreen(client, memoryId, language);
};
