import { FunctionsHttpError } from "@supabase/supabase-js";
import { queryOptions } from "@tanstack/react-query";
import { useCallback } from "react";
import type { DownloadAnswer, WantedDownload } from "../../../shared/download.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { wantDownload } from "./download-store.ts";

/**
 * Gives what opens the window that prepares a memory, an album or a selection as one ZIP file and says its size before it
 * is fetched. `name` is what the window calls it.
 */
export const useDownload = (client: SupabaseClient) =>
  useCallback((what: WantedDownload, name: string) => wantDownload({ client, what, name }), [client]);

/** Why nothing can be downloaded, for the window to say. */
export class DownloadRefused extends Error {
  constructor(readonly reason: "downloads_off" | "not_found") {
    super(`Failed to prepare the download: ${reason}`);
  }
}

/** A ZIP file on its way to being ready: asked again while copies are made, and gone on with at each call. */
export const preparedDownloadQuery = (client: SupabaseClient, what: WantedDownload) =>
  queryOptions({
    queryKey: queryKeys.preparedDownload(what),
    queryFn: async (): Promise<DownloadAnswer> => {
      const { data, error } = await client.functions.invoke<DownloadAnswer>("prepare-download", { body: what });
      if (data && !error) return data;
      if (error instanceof FunctionsHttpError) {
        const { code } = await (error.context as Response).json().catch(() => ({}));
        if (code === "downloads_off" || code === "not_found") throw new DownloadRefused(code);
      }
      throw new Error("Failed to prepare the download", { cause: error });
    },
    refetchInterval: ({ state }) => (state.data?.state === "preparing" && !state.error ? 1 : false),
    // What is in it may have changed since the last time, and so may what one is allowed.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
