import { queryOptions, useMutation } from "@tanstack/react-query";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import type { ShareSession } from "../lib/request/share-client.ts";
import { queryKeys } from "./query-keys.ts";
import type { OpenSession } from "./share-state.ts";

/** An opened link and its visitor's access. */
export interface OpenedShareContext {
  shareId: string;
  /** A client with the link's token. */
  client: SupabaseClient;
  /** The open memory; null on an album's list. */
  memoryId: string | null;
  session: OpenSession;
  /** The credentials for uploads: the newest token, and how to renew it. */
  sender: Pick<ShareSession, "token" | "renew">;
  /** Called after a refusal, because the link may have ended. */
  onRefused: () => void;
  /** Called with a new session after the visitor gave a name. */
  onSession: (session: OpenSession) => void;
}

/** Realtime sends changes at once; this covers lost connections. */
const STILL_OPEN_EVERY_MS = 60_000;

type LinkAsOpened = Pick<OpenSession, "linkId" | "version" | "showsNames" | "moderated" | "devicesRemoved">;

/** Whether a link is unchanged since it was opened, polled while the page is visible. */
export const stillOpenQuery = (
  client: SupabaseClient,
  { linkId, version, showsNames, moderated, devicesRemoved }: LinkAsOpened,
) =>
  queryOptions({
    queryKey: queryKeys.shareStillOpen(linkId, version, showsNames, moderated, devicesRemoved),
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data, error, status } = await client
        .from("link_versions")
        .select("version,shows_names,moderated,devices_removed")
        .eq("link_id", linkId)
        .abortSignal(signal)
        .maybeSingle();
      // A network failure says nothing about the link; a refusal does.
      if (error && status !== 401 && status !== 403) throw error;
      return (
        data?.version === version &&
        data.shows_names === showsNames &&
        data.moderated === moderated &&
        data.devices_removed === devicesRemoved
      );
    },
    refetchInterval: STILL_OPEN_EVERY_MS,
    retry: false,
  });

/** Why a memory could not be added: another account accepted it, it requires the invited address, or it failed. */
export type KeepFailure = "settled" | "other_address" | "failed";

/** Accepts the invitation of the client's token. Resolves to the memory; rejects with a {@link KeepFailure}. */
export function useKeepInvited(client: SupabaseClient) {
  return useMutation<string, KeepFailure>({
    mutationFn: async () => {
      const { data, error } = await client.rpc("accept_emailed_invitation");
      if (error) throw error.hint === "settled" || error.hint === "other_address" ? error.hint : "failed";
      return data;
    },
  });
}
