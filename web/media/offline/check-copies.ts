import { copiesOfPerson, copyCaches, forgetCopies } from "../../lib/offline/copies.ts";
import { confirmCopies, listIds, removePage } from "../../lib/offline/copy-store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** Deletes the offline copies of an account or link that this client may not see any more. */
export async function checkCopies(client: SupabaseClient, cacheName: string): Promise<void> {
  const ids = await listIds(cacheName);
  if (ids.length === 0) return;
  const visible = await Promise.all([
    client.from("memories").select("id").in("id", ids).then(unwrap("Failed to load memories")),
    client.from("albums").select("id").in("id", ids).then(unwrap("Failed to load albums")),
  ]);
  const may = new Set(visible.flat().map(({ id }) => id));
  for (const id of ids) if (!may.has(id)) await removePage(cacheName, id);
  await confirmCopies(cacheName);
}

/** {@link checkCopies} of the signed-in person. Those of an account that was signed in before are deleted. */
export async function checkOwnCopies(client: SupabaseClient, userId: string): Promise<void> {
  const own = copiesOfPerson(userId);
  for (const name of await copyCaches()) if (name.includes("-person-") && name !== own) void forgetCopies(name);
  await checkCopies(client, own);
}
