import { uploadIdOf } from "../../data/photo.ts";
import { config } from "../../lib/browser/config.ts";
import { browserOnline } from "../../lib/browser/online.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import type { ShareSession } from "../../lib/request/share-client.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { currentSession } from "../../lib/session/session.ts";
import { makeCover, storePoster } from "./after-stored.ts";
import type { Stored } from "./duplicates.ts";
import { hashInWorker } from "./file-hash.ts";
import { mediaExtension } from "./media-type.ts";
import { UploadFailure } from "./upload-failure.ts";
import { isBusy } from "./upload-progress.ts";
import { UploadQueue } from "./upload-queue.ts";
import { filesAtOnce } from "./upload-schedule.ts";
import { browserUploadStore } from "./upload-store.ts";
import { type Bearer, inMemory, type SentFile, type Transport } from "./upload-transport.ts";
import { makePoster } from "./video-poster.ts";

const queues = new WeakMap<SupabaseClient, UploadQueue>();

interface Credentials {
  /** Undefined for a visitor. */
  token: () => string | undefined | Promise<string | undefined>;
  renew: () => Promise<unknown>;
}

/** The sender's credentials as request headers. */
function bearerOf({ token, renew }: Credentials): Bearer {
  const { supabaseAnonKey } = config();
  const headers = async () => ({
    apikey: supabaseAnonKey,
    authorization: `Bearer ${(await token()) ?? supabaseAnonKey}`,
    "x-skies-app": "web",
  });
  return { headers, renew };
}

const ownCredentials: Credentials = {
  token: async () => (await supabase.auth.getSession()).data.session?.access_token,
  renew: () => supabase.auth.refreshSession(),
};

const endpoint = () => `${config().supabaseUrl}/storage/v1/upload/resumable`;

/**
 * Sends files to the storage protocol's resumable endpoint; `place` returns the bucket and object name of a file. What
 * sends them is loaded with the first file.
 */
function tusTransport<File extends SentFile>(
  endpoint: string,
  bearer: Bearer,
  place: (upload: File) => { bucketName: string; objectName: string },
): Transport<File> {
  let loading: Promise<Transport<File>> | undefined;
  const load = () => {
    loading ??= import("./tus-transport.ts").then(({ openTus }) => openTus(endpoint, bearer, place));
    return loading.catch((cause) => {
      loading = undefined;
      throw new UploadFailure("network", { cause });
    });
  };
  return {
    async send(upload, bytes, options) {
      const { send } = await load();
      options.signal.throwIfAborted();
      return send(upload, bytes, options);
    },
    drop: async (url) => (await load()).drop(url),
  };
}

/** The name of a blog post's cover in the bucket covers. */
export const coverName = ({ id, type }: Pick<SentFile, "id" | "type">) => `${id}.${mediaExtension(type)}`;

/** Uploads covers of blog posts as the signed-in person. */
export const coverTransport = () =>
  tusTransport<SentFile>(endpoint(), bearerOf(ownCredentials), (file) => ({
    bucketName: "covers",
    objectName: coverName(file),
  }));

/** One queue for each client, opened at first use; `follow` is called once with it. */
function queueOf(client: SupabaseClient, credentials: Credentials, follow?: (queue: UploadQueue) => void): UploadQueue {
  const existing = queues.get(client);
  if (existing) return existing;
  const queue = openUploads({ client, bearer: bearerOf(credentials), makePoster });
  queues.set(client, queue);
  guardPage(queue);
  follow?.(queue);
  return queue;
}

/** The upload queue of a visitor of a link, for as long as the link is open. */
export const uploadsBy = (client: SupabaseClient, session: Pick<ShareSession, "token" | "renew">): UploadQueue =>
  queueOf(client, session);

/**
 * The signed-in person's upload queue. It resumes unfinished uploads once the session is known. The end of a session only
 * interrupts them; signing out deletes them, too (`forgetUploads`).
 */
export const ownUploads = (): UploadQueue =>
  queueOf(supabase, ownCredentials, (queue) => {
    currentSession.subscribe(() => {
      if (currentSession.get().state === "signed out") queue.leave();
    });
    supabase.auth.onAuthStateChange((event, session) => {
      if (session && (event === "INITIAL_SESSION" || event === "SIGNED_IN")) void queue.restore(session.user.id);
    });
  });

interface Sender {
  /** The client with the sender's permissions. */
  client: SupabaseClient;
  /** The sender's credentials for the bytes. */
  bearer: Bearer;
  /** Makes a video's poster; undefined if the browser cannot play the video. */
  makePoster?: (video: Blob) => Promise<Blob | undefined>;
}

function openUploads({ client, bearer, makePoster }: Sender): UploadQueue {
  return new UploadQueue({
    ...tusTransport(endpoint(), bearer, inMemory),
    store: browserUploadStore(),
    hash: hashInWorker(),
    storedLike: (memoryId, sizes) => storedLike(client, memoryId, sizes),
    async afterStored(upload, bytes) {
      if (upload.type.startsWith("video/") && makePoster) {
        // The poster is optional.
        const poster = await makePoster(bytes).catch(() => undefined);
        if (poster) await storePoster(client, upload, poster).catch(() => {});
      }
      if (upload.asCover) await makeCover(client, upload);
    },
    atOnce: () => (browserOnline.get() ? filesAtOnce(connectionOf(navigator)) : 0),
    locks: globalThis.navigator?.locks,
    channel: "BroadcastChannel" in globalThis ? new BroadcastChannel("skies-uploads") : undefined,
  });
}

/** The stored files of these sizes whose names and hashes the sender may read; guests may read only their own. */
async function storedLike(client: SupabaseClient, memoryId: string, sizes: readonly number[]): Promise<Stored[]> {
  const { data, error, status } = await client
    .from("media")
    .select("object_name,size,details:media_details!inner(file_name,content_hash)")
    .eq("memory_id", memoryId)
    .in("size", [...sizes]);
  if (!error) {
    return data.map(({ object_name, size, details }) => ({
      id: uploadIdOf({ object_name }),
      name: details.file_name,
      size,
      hash: details.content_hash,
    }));
  }
  if (status === 0 || status >= 500) throw error;
  // Guests who may only upload cannot read anything to compare with.
  return [];
}

const connectionOf = (browser: Navigator) =>
  (browser as Navigator & { connection?: { saveData?: boolean; effectiveType?: string } }).connection;

/** Resumes a queue when the network returns or the device wakes, and warns before the page is left. */
function guardPage(queue: UploadQueue): void {
  const wake = () => queue.wake();
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") wake();
  });

  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  const screen = stayAwake();
  queue.files.subscribe(() => {
    // Only while needed: a `beforeunload` listener excludes the page from the back/forward cache.
    if (queue.losesBytes()) window.addEventListener("beforeunload", warn);
    else window.removeEventListener("beforeunload", warn);
    screen.wanted(queue.files.get().some(isBusy));
  });
}

/** Holds a wake lock during uploads, where supported: a sleeping phone stops sending. */
function stayAwake() {
  let isWanted = false;
  let sentinel: WakeLockSentinel | undefined;
  let asking = false;
  const update = async () => {
    if (!("wakeLock" in navigator) || !matchMedia("(pointer: coarse)").matches || asking) return;
    if (isWanted === (sentinel !== undefined) || (isWanted && document.visibilityState === "hidden")) return;
    if (!isWanted) {
      await sentinel?.release().catch(() => {});
      sentinel = undefined;
      return;
    }
    asking = true;
    // Refused e.g. when the battery is low.
    sentinel = await navigator.wakeLock.request("screen").catch(() => undefined);
    asking = false;
    // The browser releases it whenever the page is hidden.
    sentinel?.addEventListener("release", () => {
      sentinel = undefined;
    });
    if (sentinel && !isWanted) void update();
  };
  document.addEventListener("visibilitychange", () => void update());
  return {
    wanted(now: boolean) {
      isWanted = now;
      void update();
    },
  };
}
