import type { SupabaseClient } from "@supabase/supabase-js";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callFunction } from "../../lib/call-function.ts";
import { useRowChanges } from "../../lib/use-row-changes.ts";
import type { OpenSession } from "./share-state.ts";

/** What a link opens. */
export interface Shareable {
  kind: "memory" | "album";
  id: string;
  name: string;
}
type Opened = Pick<Shareable, "kind" | "id">;

/** A way in to a memory or to a whole album, as its owner sees it. */
export interface ShareLink {
  id: string;
  /** One of the two. */
  memory_id: string | null;
  album_id: string | null;
  share_id: string;
  version: number;
  has_pin: boolean;
  /** Set while wrong PINs keep the link shut. */
  locked_until: string | null;
}

/** The first link that opens it: a memory has one from its beginning, an album none (null) until somebody wants it shared. */
export const shareLinkQuery = (client: SupabaseClient, { kind, id }: Opened) =>
  queryOptions({
    queryKey: ["share-link", kind, id],
    queryFn: async ({ signal }): Promise<ShareLink | null> => {
      const { data, error } = await client
        .from("share_links")
        .select()
        .eq(`${kind}_id`, id)
        .is("revoked_at", null)
        .order("created_at")
        .limit(1)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw new Error("Failed to load the link", { cause: error });
      return data;
    },
  });

const openedBy = ({ memory_id, album_id }: ShareLink): Opened =>
  album_id === null ? { kind: "memory", id: memory_id ?? "" } : { kind: "album", id: album_id };

/** Makes a link that opens it. */
export function useCreateLink(client: SupabaseClient, of: Opened) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { error } = await client
        .from("share_links")
        .insert(of.kind === "album" ? { album_id: of.id } : { memory_id: of.id });
      if (error) throw new Error("Failed to create the link", { cause: error });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: shareLinkQuery(client, of).queryKey }),
  });
}

/** Closes a link for everyone who holds it, or opens it again. */
export function useCloseLink(client: SupabaseClient, link: ShareLink) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (closed: boolean) => {
      const revoked_at = closed ? new Date().toISOString() : null;
      const { error } = await client.from("share_links").update({ revoked_at }).eq("id", link.id).select("id").single();
      if (error) throw new Error("Failed to close the link", { cause: error });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: shareLinkQuery(client, openedBy(link)).queryKey }),
  });
}

/** Sets a link's PIN, or removes it with null; whoever opened the link before has to open it again. */
export function useSetPin(client: SupabaseClient, link: ShareLink, request: typeof fetch) {
  const cache = useQueryClient();
  const { queryKey } = shareLinkQuery(client, openedBy(link));
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
export function useShareLinkLive(client: SupabaseClient, { kind, id }: Opened) {
  const cache = useQueryClient();
  useRowChanges(client, [{ event: "*", table: "share_links", filter: `${kind}_id=eq.${id}` }], () => {
    void cache.invalidateQueries({ queryKey: ["share-link", kind, id] });
  });
}

/** What the room behind a share's door is handed. */
export interface OpenedShareContext {
  /** Reads as the holder of the link. */
  client: SupabaseClient;
  /** The memory that is looked at; null before an album, of which none is chosen yet. */
  memoryId: string | null;
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
