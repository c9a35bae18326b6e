import { config } from "../../lib/browser/config.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import type { ShareSession } from "../../lib/request/share-client.ts";
import { openUploads } from "./open-uploads.ts";
import { guardPage } from "./page-guards.ts";
import type { UploadQueue } from "./upload-queue.ts";
import { makePoster } from "./video-poster.ts";

const queues = new WeakMap<SupabaseClient, UploadQueue>();

/** The queue of uploads of whoever came by a link: one for each opened link, for as long as it is open. */
export function uploadsBy(
  client: SupabaseClient,
  { token, renew }: Pick<ShareSession, "token" | "renew">,
): UploadQueue {
  const known = queues.get(client);
  if (known) return known;
  const { supabaseUrl, supabaseAnonKey } = config();
  const queue = openUploads({
    supabaseUrl,
    client,
    bearer: {
      headers: async () => ({
        apikey: supabaseAnonKey,
        authorization: `Bearer ${token()}`,
        "x-skies-app": "web",
      }),
      renew,
    },
    makePoster,
  });
  guardPage(queue);
  queues.set(client, queue);
  return queue;
}
