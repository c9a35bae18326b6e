import { useEffect } from "react";
import { useLatest } from "../browser/use-latest.ts";
import { ChangeChannel, type Changes, type RowChange } from "./change-channel.ts";
import type { SupabaseClient } from "./database-client.ts";

export type { RowChange } from "./change-channel.ts";

const TOGETHER_MS = 250;

const channels = new WeakMap<SupabaseClient, ChangeChannel>();

function channelOf(client: SupabaseClient): ChangeChannel {
  const channel = channels.get(client) ?? new ChangeChannel(client);
  channels.set(client, channel);
  return channel;
}

/**
 * Calls back after rows of these kinds have changed, as far as the client's token may see them. Changes close together
 * cause one call; undefined means unknown changes, e.g. after a lost connection. `onConnection` is called when the
 * connection changes. A page uses one channel per client, however many components call this.
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
    const stop = channelOf(client).follow(JSON.parse(wanted), {
      told(change) {
        if (change) told.push(change);
        else untold = true;
        timer ??= setTimeout(() => {
          timer = undefined;
          const all = untold ? undefined : told;
          told = [];
          untold = false;
          call.current(all);
        }, TOGETHER_MS);
      },
      connected: (now) => connection.current?.(now),
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, wanted]);
}
