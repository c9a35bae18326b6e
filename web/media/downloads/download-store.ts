import type { WantedDownload } from "../../../shared/download.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** What somebody wants to take with them. */
export interface DownloadRequest {
  /** As whom it is read. */
  client: SupabaseClient;
  what: WantedDownload;
  /** What it is called, for the window that asks how. */
  name: string;
}

let current: DownloadRequest | undefined;
const listeners = new Set<() => void>();

/** The download that is being prepared, if any; small, because every page listens. */
export const wantedDownload = (): DownloadRequest | undefined => current;

export function onWantedDownload(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Opens the window that prepares a download, or closes it. */
export function wantDownload(request: DownloadRequest | undefined): void {
  current = request;
  for (const listener of listeners) listener();
}
