import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { config } from "../../lib/config.ts";
import { supabase } from "../../lib/supabase.ts";
import { photosQuery } from "./media.queries.ts";
import {
  type OverallProgress,
  overallProgress,
  roundedTimeLeft,
  type Sample,
  secondsLeft,
  type TimeLeft,
  withSample,
} from "./upload-progress.ts";
import { UploadQueue, type UploadView } from "./upload-queue.ts";
import { browserUploadStore } from "./upload-store.ts";
import { objectNameOf, tusSend } from "./upload-transport.ts";

export { PHOTO_ACCEPT } from "./photo-type.ts";
export type { UploadView } from "./upload-queue.ts";

async function requestHeaders() {
  const { supabaseAnonKey } = config();
  const { data } = await supabase.auth.getSession();
  return {
    apikey: supabaseAnonKey,
    authorization: `Bearer ${data.session?.access_token ?? supabaseAnonKey}`,
    "x-skies-app": "web",
  };
}

/** The app's one queue of uploads. */
export const uploads = new UploadQueue({
  store: browserUploadStore(),
  send: tusSend(`${config().supabaseUrl}/storage/v1/upload/resumable`, requestHeaders),
  afterStored: async (upload) => {
    if (!upload.asCover) return;
    const { data, error } = await supabase
      .from("media")
      .select("id")
      .eq("object_name", objectNameOf(upload))
      .maybeSingle();
    if (error) throw error;
    // No row: the photo was deleted in the meantime, or its memory was.
    if (!data) return;
    const { error: refused } = await supabase.rpc("set_cover", { media_id: data.id });
    if (refused) throw refused;
  },
  locks: globalThis.navigator?.locks,
});

uploads.setOnline(navigator.onLine);
window.addEventListener("online", () => uploads.setOnline(true));
window.addEventListener("offline", () => uploads.setOnline(false));
supabase.auth.onAuthStateChange((event, session) => {
  if (event === "SIGNED_OUT") void uploads.cancelAll();
  else if (session && (event === "INITIAL_SESSION" || event === "SIGNED_IN")) void uploads.resume(session.user.id);
});

/** A memory's files on their way, and how far they are as one. */
export interface MemoryUploads {
  files: UploadView[];
  overall: OverallProgress;
  /** Undefined while it would be a guess. */
  timeLeft: TimeLeft | undefined;
}

/** Follows a memory's uploads, and shows each photo from the server once it is there. */
export function useUploads(memoryId: string): MemoryUploads {
  const all = useSyncExternalStore(uploads.subscribe, uploads.snapshot);
  const files = useMemo(() => all.filter((upload) => upload.memoryId === memoryId), [all, memoryId]);
  const overall = useMemo(() => overallProgress(files), [files]);

  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    setSamples((before) => (overall.busy ? withSample(before, { at: Date.now(), sentBytes: overall.sentBytes }) : []));
  }, [overall.busy, overall.sentBytes]);

  const cache = useQueryClient();
  const shown = useRef(0);
  useEffect(() => {
    if (overall.stored > shown.current) void cache.invalidateQueries(photosQuery(supabase, memoryId));
    shown.current = overall.stored;
  }, [cache, memoryId, overall.stored]);

  const seconds = secondsLeft(samples, overall.totalBytes - overall.sentBytes);
  return { files, overall, timeLeft: overall.busy && seconds !== undefined ? roundedTimeLeft(seconds) : undefined };
}
