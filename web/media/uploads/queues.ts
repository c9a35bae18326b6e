import { config } from "../../lib/browser/config.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import type { ShareSession } from "../../lib/request/share-client.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { openUploads } from "./open-uploads.ts";
import { guardPage } from "./page-guards.ts";
import type { UploadQueue } from "./upload-queue.ts";
import { makePoster } from "./video-poster.ts";

const queues = new WeakMap<SupabaseClient, UploadQueue>();

interface Bearer {
  /** Undefined for a visitor. */
  token: () => string | undefined | Promise<string | undefined>;
  renew: () => Promise<unknown>;
}

/** One queue for each client, opened when it is first asked for; `follow` is called with it once. */
function queueOf(client: SupabaseClient, { token, renew }: Bearer, follow?: (queue: UploadQueue) => void): UploadQueue {
  const known = queues.get(client);
  if (known) return known;
  const { supabaseUrl, supabaseAnonKey } = config();
  const headers = async () => ({
    apikey: supabaseAnonKey,
    authorization: `Bearer ${(await token()) ?? supabaseAnonKey}`,
    "x-skies-app": "web",
  });
  const queue = openUploads({ supabaseUrl, client, bearer: { headers, renew }, makePoster });
  queues.set(client, queue);
  guardPage(queue);
  follow?.(queue);
  return queue;
}

/** The queue of uploads of whoever came by a link: one for each opened link, for as long as it is open. */
export const uploadsBy = (client: SupabaseClient, session: Pick<ShareSession, "token" | "renew">): UploadQueue =>
  queueOf(client, session);

/** The signed-in person's queue of uploads: what was left of it is taken up again when they are known. */
export const ownUploads = (): UploadQueue =>
  queueOf(
    supabase,
    {
      token: async () => (await supabase.auth.getSession()).data.session?.access_token,
      renew: () => supabase.auth.refreshSession(),
    },
    (queue) =>
      supabase.auth.onAuthStateChange((event, session) => {
        if (event === "SIGNED_OUT") void queue.cancelAll();
        else if (session && (event === "INITIAL_SESSION" || event === "SIGNED_IN")) void queue.restore(session.user.id);
      }),
  );
