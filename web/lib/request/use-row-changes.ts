import type { RealtimeChannel } from "@supabase/supabase-js";
import { useEffect } from "react";
import { useLatest } from "../browser/use-latest.ts";
import type { SupabaseClient } from "./database-client.ts";

interface Changes {
  table: string;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  /** As in `memory_id=eq.…`. The hosted platform does not filter deletes; what is told too much is only read again. */
  filter?: string;
}

/** A row that came or changed, or what identifies one that went. */
export interface RowChange {
  event: "INSERT" | "UPDATE" | "DELETE";
  table: string;
  row: Record<string, unknown>;
}

const TOGETHER_MS = 250;
const REJOIN_MS = 2000;

/**
 * Calls back after rows of these kinds have changed, as far as the client's bearer may see them. Changes that come close
 * together are one call, in their order; undefined stands for changes that nobody told, as while the connection was lost.
 * `onConnection` hears whether changes are being told, each time that this changes.
 */
export function useRowChanges(
  client: SupabaseClient,
  changes: readonly Changes[],
  onChange: (told: RowChange[] | undefined) => void,
  onConnection?: (connected: boolean) => void,
) {
  const call = useLatest(onChange);
  const connection = useLatest(onConnection);
  const wanted = JSON.stringify(changes);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let told: RowChange[] = [];
    let untold = false;
    const soon = (change?: RowChange) => {
      if (change) told.push(change);
      else untold = true;
      timer ??= setTimeout(() => {
        timer = undefined;
        const all = untold ? undefined : told;
        told = [];
        untold = false;
        call.current(all);
      }, TOGETHER_MS);
    };
    let channel: RealtimeChannel | undefined;
    let rejoin: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const again = () => {
      if (!left) rejoin = setTimeout(() => join().catch(again), REJOIN_MS);
    };
    const join = async () => {
      // A channel joined before the client knows its bearer would stay a visitor's.
      await client.realtime.setAuth();
      if (left) return;
      // The client hands out a channel that is just being left to whoever asks for its name again.
      const joined = client.channel(`changes-${crypto.randomUUID()}`);
      channel = joined;
      for (const change of JSON.parse(wanted) as Changes[]) {
        const filter = { schema: "public", ...change } as { event: "*"; schema: string };
        joined.on("postgres_changes", filter, ({ eventType, table, new: now, old, errors }) => {
          // A row too large to be told comes as an error in its place.
          if (errors?.length) soon();
          else soon({ event: eventType, table, row: eventType === "DELETE" ? old : now });
        });
      }
      joined.subscribe((status) => {
        if (!left && channel === joined) connection.current?.(status === "SUBSCRIBED");
        // Changes from before the channel stood, or while the connection was lost, are not told.
        if (status === "SUBSCRIBED") soon();
        // The server closes a channel whose bearer has ended; with the next bearer there is a new one.
        if (status === "CLOSED" && channel === joined) again();
      });
    };
    join().catch(again);
    return () => {
      left = true;
      clearTimeout(timer);
      clearTimeout(rejoin);
      if (channel) void client.removeChannel(channel);
    };
  }, [client, wanted]);
}
