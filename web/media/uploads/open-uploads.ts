import { uploadIdOf } from "../../data/photo.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import type { Stored } from "./duplicates.ts";
import { hashInWorker } from "./file-hash.ts";
import { UploadQueue } from "./upload-queue.ts";
import { filesAtOnce } from "./upload-schedule.ts";
import { browserUploadStore, type StoredUpload } from "./upload-store.ts";
import { type Bearer, objectNameOf, tusTransport } from "./upload-transport.ts";

interface Sender {
  /** Where the server is. */
  supabaseUrl: string;
  /** Reads and writes as whoever sends. */
  client: SupabaseClient;
  /** The same for the files' bytes. */
  bearer: Bearer;
  /** Makes what stands for a video before it plays; undefined where the browser can not play it either. */
  makePoster?: (video: Blob) => Promise<Blob | undefined>;
}

/** A queue of uploads for one sender: the signed-in person, or a visitor whose link lets them add. */
export function openUploads({ supabaseUrl, client, bearer, makePoster }: Sender): UploadQueue {
  return new UploadQueue({
    ...tusTransport(`${supabaseUrl}/storage/v1/upload/resumable`, bearer),
    store: browserUploadStore(),
    hash: hashInWorker(),
    storedLike: (memoryId, sizes) => storedLike(client, memoryId, sizes),
    async afterStored(upload, bytes) {
      if (upload.type.startsWith("video/") && makePoster) {
        // A video without a poster is a video still.
        const poster = await makePoster(bytes).catch(() => undefined);
        if (poster) await storePoster(client, upload, poster).catch(() => {});
      }
      if (upload.asCover) await makeCover(client, upload);
    },
    atOnce: () => (isOffline() ? 0 : filesAtOnce(connectionOf(navigator))),
    locks: globalThis.navigator?.locks,
    channel: "BroadcastChannel" in globalThis ? new BroadcastChannel("skies-uploads") : undefined,
  });
}

/** Those of these sizes of which the sender may know the names and hashes: a visitor knows those of their own alone. */
async function storedLike(client: SupabaseClient, memoryId: string, sizes: readonly number[]): Promise<Stored[]> {
  const { data, error, status } = await client
    .from("media")
    .select("object_name,size,details:media_details!inner(file_name,content_hash)")
    .eq("memory_id", memoryId)
    .in("size", [...sizes]);
  if (!error) {
    return data.map(({ object_name, size, details }) => ({
      ...{ id: uploadIdOf({ object_name }), name: details.file_name, size, hash: details.content_hash },
    }));
  }
  if (status === 0 || status >= 500) throw error;
  // Who may add but not look has nothing to compare with.
  return [];
}

async function makeCover(client: SupabaseClient, upload: StoredUpload): Promise<void> {
  const { data, error } = await client.from("media").select("id").eq("object_name", objectNameOf(upload)).maybeSingle();
  if (error) throw error;
  // No row: the photo was deleted in the meantime, or its memory was.
  if (!data) return;
  const { error: refused } = await client.rpc("set_cover", { media_id: data.id });
  if (refused) throw refused;
}

async function storePoster(client: SupabaseClient, upload: StoredUpload, poster: Blob): Promise<void> {
  const { error } = await client.storage.from("posters").upload(`${objectNameOf(upload)}.jpg`, poster, {
    contentType: poster.type,
    cacheControl: "3600",
  });
  if (error) throw error;
}

/** A machine without any network still reaches a server of its own. */
const isOffline = () => !navigator.onLine && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);

const connectionOf = (browser: Navigator) =>
  (browser as Navigator & { connection?: { saveData?: boolean; effectiveType?: string } }).connection;
