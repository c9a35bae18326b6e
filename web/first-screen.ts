import type { FirstScreen } from "../shared/share.ts";
import type { Language } from "./i18n/languages.ts";
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
): Promise<FirstScreen | undefined> =>
  readFirstScreen(rowsAndObjects(site, send) as unknown as SupabaseClient, memoryId, language);
