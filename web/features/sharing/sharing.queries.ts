import type { SupabaseClient } from "@supabase/supabase-js";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callFunction } from "../../lib/call-function.ts";
import { useRowChanges } from "../../lib/use-row-changes.ts";
import type { OpenSession } from "./share-state.ts";

/** A way in to a memory, as its owner sees it. */
export interface ShareLink {
  id: string;
  memory_id: string;
  share_id: string;
  version: number;
  has_pin: boolean;
  /** Set while wrong PINs keep the link shut. */
  locked_until: string | null;
}

/** The first link of a memory: the one that was made with it. */
export const shareLinkQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: ["share-link", memoryId],
    queryFn: async ({ signal }): Promise<ShareLink> => {
      const { data, error } = await client
        .from("share_links")
        .select()
        .eq("memory_id", memoryId)
        .order("created_at")
        .limit(1)
        .abortSignal(signal)
        .single();
      if (error) throw new Error("Failed to load the link", { cause: error });
      return data;
    },
  });

/** Sets a link's PIN, or removes it with null; whoever opened the link before has to open it again. */
export function useSetPin(client: SupabaseClient, link: Pick<ShareLink, "id" | "memory_id">, request: typeof fetch) {
  const cache = useQueryClient();
  const { queryKey } = shareLinkQuery(client, link.memory_id);
  return useMutation({
    mutationFn: async (pin: string | null) => {
      const { data } = await client.auth.getSession();
      return callFunction<{ hasPin: boolean; version: number }>(
        "share-pin",
        { linkId: link.id, pin },
        { bearer: data.session?.access_token, request },
      );
    },
    onSuccess: ({ hasPin, version }) => {
      cache.setQueryData(queryKey, (before) => before && { ...before, has_pin: hasPin, version, locked_until: null });
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  });
}

/** Follows a link while it is looked at: a lock-out by somebody's guessing shows at once. */
export function useShareLinkLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  useRowChanges(client, [{ event: "*", table: "share_links", filter: `memory_id=eq.${memoryId}` }], () => {
    void cache.invalidateQueries({ queryKey: ["share-link", memoryId] });
  });
}

/** What the room behind a share's door is handed. */
export interface OpenedShareContext {
  /** Reads as the holder of the link. */
  client: SupabaseClient;
  memoryId: string;
  session: OpenSession;
  /** To be called when something is refused: the link may not open any more. */
  onRefused: () => void;
}

/** Realtime tells of changes at once; this is for what is lost with a connection. */
const STILL_OPEN_EVERY_MS = 60_000;

/** Whether a link is still as it was when it was opened, asked now and then while the page is looked at. */
export const stillOpenQuery = (client: SupabaseClient, { linkId, version }: Pick<OpenSession, "linkId" | "version">) =>
  queryOptions({
    queryKey: ["still-open", linkId, version],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data, error, status } = await client
        .from("link_versions")
        .select("version")
        .eq("link_id", linkId)
        .abortSignal(signal)
        .maybeSingle();
      // A network that fails says nothing about the link; a refusal does.
      if (error && status !== 401 && status !== 403) throw error;
      return data?.version === version;
    },
    refetchInterval: STILL_OPEN_EVERY_MS,
    retry: false,
  });

/** A QR code of a link, as files to be kept. */
export const qrCodeQuery = (link: string) =>
  queryOptions({
    queryKey: ["qr-code", link],
    queryFn: async () => {
      const { drawQrCode } = await import("./qr-code.ts");
      return drawQrCode(link);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
