import type { SupabaseClient } from "../../lib/request/database-client.ts";
import type { StoredUpload } from "./upload-store.ts";
import { objectNameOf } from "./upload-transport.ts";

/** Statuses after which the same request may succeed: no answer, an old token, a limit, and failures of the server. */
const mayPass = (status: number) => status === 0 || status === 401 || status === 429 || status >= 500;

/**
 * Makes a stored photo the cover. If that is refused, e.g. because the person manages the memory no longer, the cover stays as it
 * is: the photo itself is stored.
 */
export async function makeCover(
  client: SupabaseClient,
  upload: Pick<StoredUpload, "id" | "memoryId" | "type">,
): Promise<void> {
  const { data, error } = await client.from("media").select("id").eq("object_name", objectNameOf(upload)).maybeSingle();
  if (error) throw error;
  // The photo or its memory was deleted in the meantime.
  if (!data) return;
  const { error: refused, status } = await client.rpc("set_cover", { media_id: data.id });
  if (refused && mayPass(status)) throw refused;
}

/** Stores the poster that the browser made of a video. */
export async function storePoster(client: SupabaseClient, upload: StoredUpload, poster: Blob): Promise<void> {
  const { error } = await client.storage.from("posters").upload(`${objectNameOf(upload)}.jpg`, poster, {
    contentType: poster.type,
    cacheControl: "3600",
  });
  if (error) throw error;
}
