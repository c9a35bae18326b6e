import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../../lib/request/optimistic-update.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import { useRowChanges } from "../../../lib/request/use-row-changes.ts";
import type { ShareLink } from "./links.queries.ts";

/** A browser in which a link's PIN or passphrase was entered. */
export type LinkDevice = Pick<Row<"link_devices">, "id" | "name" | "first_seen" | "last_seen">;

type OfLink = Pick<ShareLink, "id" | "admitted_since_version">;

/** The devices that open a link without its secret, the one that was seen last first. */
export const devicesQuery = (client: SupabaseClient, { id, admitted_since_version }: OfLink) =>
  queryOptions({
    queryKey: queryKeys.shareLinks("devices", id, admitted_since_version),
    queryFn: async ({ signal }): Promise<LinkDevice[]> =>
      client
        .from("link_devices")
        .select("id,name,first_seen,last_seen")
        .eq("link_id", id)
        .gte("admitted_version", admitted_since_version)
        .order("last_seen", { ascending: false })
        .order("id")
        .abortSignal(signal)
        .then(unwrap("Failed to load the devices")),
  });

/** Returns a mutation that removes a device of a link by its id. Its open pages close at once. */
export function useRemoveDevice(client: SupabaseClient, link: OfLink) {
  const cache = useQueryClient();
  const { queryKey } = devicesQuery(client, link);
  return useMutation({
    mutationFn: async (id: string) => {
      await client.from("link_devices").delete().eq("id", id).then(unwrap("Failed to remove the device"));
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (devices: LinkDevice[], id: string) => devices.filter((device) => device.id !== id),
      readAgain: () => refresh(cache, queryKey),
    }),
  });
}

/** Reloads the devices of a link when one is added or removed. */
export function useDevicesLive(client: SupabaseClient, link: OfLink) {
  const cache = useQueryClient();
  const { queryKey } = devicesQuery(client, link);
  useRowChanges(client, [{ event: "*", table: "link_devices", filter: `link_id=eq.${link.id}` }], () => {
    void refresh(cache, queryKey);
  });
}
