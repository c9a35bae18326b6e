import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Returned } from "../../../../shared/database.ts";
import { queryKeys, refresh } from "../../../data/query-keys.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { whileSignedIn } from "./while-signed-in.ts";

export type DeviceRow = Returned<"my_sessions">[number];

/** Where the person is signed in: this device first, then by when it was last seen. */
export const devicesQuery = (userId: string) =>
  queryOptions({
    queryKey: queryKeys.devices(userId),
    queryFn: async (): Promise<DeviceRow[]> => {
      const { data, error } = await supabase.rpc("my_sessions");
      if (error) throw error;
      return data;
    },
  });

/** Signs one device out, or all but this one. */
export function useEndDevices(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (which: { id: string } | "others") => {
      if (which === "others") {
        await whileSignedIn(async () => ({ data: null, ...(await supabase.auth.signOut({ scope: "others" })) }));
      } else {
        const { error } = await supabase.rpc("end_session", { session_id: which.id });
        if (error) throw error;
      }
    },
    onSettled: () => refresh(queries, devicesQuery(userId).queryKey),
  });
}
