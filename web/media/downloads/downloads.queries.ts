import { FunctionsHttpError } from "@supabase/supabase-js";
import { queryOptions } from "@tanstack/react-query";
import { useCallback } from "react";
import type { DownloadAnswer, WantedDownload } from "../../../shared/download.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { wantDownload } from "./download-store.ts";

/** Returns a function that opens the download dialog for a memory, an album or a selection; `name` is its title. */
export const useDownload = (client: SupabaseClient) =>
  useCallback((what: WantedDownload, name: string) => wantDownload({ client, what, name }), [client]);

/** A download that the server refused; the dialog shows the reason. */
export class DownloadRefused extends Error {
  constructor(readonly reason: "downloads_off" | "not_found") {
    super(`Failed to prepare the download: ${reason}`);
  }
}

/** The preparation of a ZIP file: polled while copies are being made; each call continues the work. */
export const preparedDownloadQuery = (client: SupabaseClient, what: WantedDownload) =>
  queryOptions({
    queryKey: queryKeys.preparedDownload(what),
    queryFn: async (): Promise<DownloadAnswer> => {
      const { data, error } = await client.functions.invoke<DownloadAnswer>("prepare-download", {
        body: { ...what, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      });
      if (data && !error) return data;
      if (error instanceof FunctionsHttpError) {
        const { code } = await (error.context as Response).json().catch(() => ({}));
        if (code === "downloads_off" || code === "not_found") throw new DownloadRefused(code);
      }
      throw new Error("Failed to prepare the download", { cause: error });
    },
    refetchInterval: ({ state }) => (state.data?.state === "preparing" && !state.error ? 1 : false),
    // Contents and permissions may have changed since the last request.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
