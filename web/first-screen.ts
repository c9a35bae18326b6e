import type { FirstScreen } from "../shared/share.ts";
import type { SupabaseClient } from "./lib/request/database-client.ts";
import { rowsAndObjects } from "./lib/request/share-client.ts";
import { readFirstScreen } from "./pages/memory/first-screen.ts";

/**
 * For the server: what the first screen of a memory shows. `send` sends each request as whoever opens the memory; `site` is
 * where the browser finds the server.
 */
export const firstScreen = (site: string, memoryId: string, send: typeof fetch): Promise<FirstScreen | undefined> =>
  readFirstScreen(rowsAndObjects(site, send) as unknown as SupabaseClient, memoryId);
