import type { WantedDownload } from "../../../shared/download.ts";
import { createStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** What somebody wants to take with them. */
export interface DownloadRequest {
  /** As whom it is read. */
  client: SupabaseClient;
  what: WantedDownload;
  /** What it is called, for the window that asks how. */
  name: string;
}

/** The download that is being prepared, if any; small, because every page listens. */
export const wantedDownload = createStore<DownloadRequest | undefined>(undefined);

/** Opens the window that prepares a download, or closes it. */
export const wantDownload = wantedDownload.set;
