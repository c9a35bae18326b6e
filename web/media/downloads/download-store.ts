import type { WantedDownload } from "../../../shared/download.ts";
import { createStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

export interface DownloadRequest {
  /** The client whose permissions apply. */
  client: SupabaseClient;
  what: WantedDownload;
  /** The title for the dialog. */
  name: string;
}

/** The download in the open dialog, if any. In a separate small module, because every page imports it. */
export const wantedDownload = createStore<DownloadRequest | undefined>(undefined);

/** Opens the download dialog, or closes it. */
export const wantDownload = wantedDownload.set;
