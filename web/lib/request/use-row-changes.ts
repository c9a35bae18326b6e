import { useEffect } from "react";
import { useLatest } from "../browser/use-latest.ts";
import { type ChangeBinding, ChangeChannel, type RowChange } from "./change-channel.ts";
import type { SupabaseClient } from "./database-client.ts";
import { leavingFailures } from "./refresh.ts";

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
  bindings: readonly ChangeBinding[],
  onChange: (changes: RowChange[] | undefined) => void,
  onConnection?: (connected: boolean) => void,
) {
  const call = useLatest(onChange);
  const connection = useLatest(onConnection);
  const serialised = JSON.stringify(bindings);
  useEffect(() => {
    const gathering = gatherChanges((changes) => call.current(changes));
    const stop = channelOf(client).subscribe(JSON.parse(serialised), {
      onChange: gathering.add,
      onConnection: (connected) => connection.current?.(connected),
    });
    return () => {
      gathering.stop();
      stop();
    };
  }, [client, serialised]);
}

/**
 * Passes on changes that come close together in one call. Unknown ones get a call of their own, because known rows are
 * announced to people, e.g. a notice that comes just after the channel was joined.
 */
export function gatherChanges(onChange: (changes: RowChange[] | undefined) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changes: RowChange[] = [];
  let unknown: "none" | "beforeJoin" | "any" = "none";
  function pass() {
    const [rows, missed] = [changes, unknown];
    timer = undefined;
    changes = [];
    unknown = "none";
    if (missed === "beforeJoin") leavingFailures(() => onChange(undefined));
    else if (missed === "any") onChange(undefined);
    if (rows.length > 0) onChange(rows);
  }
  return {
    add(change: RowChange | undefined, isFirst = false) {
      if (change) changes.push(change);
      else if (!isFirst || unknown === "any") unknown = "any";
      else unknown = "beforeJoin";
      timer ??= setTimeout(pass, TOGETHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
