import type { SupabaseClient } from "@supabase/supabase-js";
import { useEffect, useRef } from "react";

interface Changes {
  table: string;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  /** As in `memory_id=eq.…`; deletes can not be filtered, for the row that the filter would read is gone. */
  filter?: string;
}

const TOGETHER_MS = 250;

/**
 * Calls back after rows of these kinds have changed, as far as the client's bearer may see them. Changes that come close
 * together are one call: a batch of photos is read once, not for every row.
 */
export function useRowChanges(client: SupabaseClient, changes: readonly Changes[], onChange: () => void) {
  const call = useRef(onChange);
  useEffect(() => {
    call.current = onChange;
  });
  const wanted = JSON.stringify(changes);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        call.current();
      }, TOGETHER_MS);
    };
    // The client hands out a channel that is just being left to whoever asks for its name again.
    const channel = client.channel(`changes-${crypto.randomUUID()}`);
    for (const change of JSON.parse(wanted) as Changes[]) {
      channel.on("postgres_changes", { schema: "public", ...change } as { event: "*"; schema: string }, soon);
    }
    // Changes from before the channel stood, or while the connection was lost, are not told: joining counts as one.
    channel.subscribe((status) => status === "SUBSCRIBED" && soon());
    return () => {
      clearTimeout(timer);
      void client.removeChannel(channel);
    };
  }, [client, wanted]);
}
