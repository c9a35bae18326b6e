import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "../../../data/query-keys.ts";
import { NotUndone } from "../../../data/save-over.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import type { Sides } from "./sides.ts";

/** A change of fronts and backs, or the undo of one. */
export type ChangeOfSides = ({ pair: Sides } | { separate: string[] } | { swap: string[] }) & { isUndo?: boolean };

const FAILURE = "Failed to change front and back";

/** Changes fronts and backs. Resolves to what undoes it. Rejects with `NotUndone` if an undo finds other prints. */
async function changeSides(client: SupabaseClient, change: ChangeOfSides): Promise<ChangeOfSides> {
  if ("pair" in change) {
    await client.rpc("pair_sides", change.pair).then(unwrap(FAILURE));
    return { separate: change.pair.fronts, isUndo: true };
  }
  if ("separate" in change) {
    const fronts = change.separate;
    const separated = await client.rpc("separate_sides", { fronts }).then(unwrap(FAILURE));
    if (separated.length < fronts.length) throw new NotUndone();
    return {
      pair: { fronts: separated.map(({ front }) => front), backs: separated.map(({ back }) => back) },
      isUndo: true,
    };
  }
  const swapped = await client.rpc("swap_sides", { fronts: change.swap }).then(unwrap(FAILURE));
  if (swapped.length < change.swap.length) throw new NotUndone();
  return { swap: swapped, isUndo: true };
}

/** Returns a mutation that changes fronts and backs, and then reloads the memory's photos. */
export function useSetSides(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    // Requests run in sequence, because the undo may be pressed before the photos were reloaded.
    scope: { id: `sides-${memoryId}` },
    mutationFn: (change: ChangeOfSides) => changeSides(client, change),
    onSettled: () => refresh(cache, queryKeys.photos(memoryId), queryKeys.memory(memoryId)),
  });
}
