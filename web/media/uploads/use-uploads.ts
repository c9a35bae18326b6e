import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { RAW_FORMATS } from "../../../shared/photo-format.ts";
import { catchUp } from "../../data/media.queries.ts";
import { uploadIdOf } from "../../data/photo.ts";
import { createStore, useStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { ownUploads } from "./queues.ts";
import type { UploadView } from "./upload-entries.ts";
import {
  isBusy,
  type OverallProgress,
  overallProgress,
  roundedTimeLeft,
  type Sample,
  secondsLeft,
  type TimeLeft,
  withSample,
} from "./upload-progress.ts";
import type { UploadQueue } from "./upload-queue.ts";

export { MEDIA_ACCEPT } from "./media-type.ts";
export type { UploadView } from "./upload-entries.ts";
export { isRetryable } from "./upload-failure.ts";
export { isBusy } from "./upload-progress.ts";
export type { UploadQueue } from "./upload-queue.ts";

/** A memory's uploads. */
export interface MemoryUploads {
  queue: UploadQueue;
  memoryId: string;
  files: readonly UploadView[];
  busy: boolean;
}

const ARRIVALS_MS = 1000;
const ATTACHED_POLL_MS = 4000;
/** The query limit. One page uploads fewer videos than this. */
const MOST_ATTACHED = 1000;

/** Subscribes to a memory's uploads without their progress, and refetches the photos after uploads are stored. */
export function useUploads(memoryId: string, queue: UploadQueue = ownUploads(), client = supabase): MemoryUploads {
  const all = useStore(queue.files);
  const files = useMemo(() => all.filter((upload) => upload.memoryId === memoryId), [all, memoryId]);
  const stored = files.reduce((count, { state }) => count + (state === "stored" ? 1 : 0), 0);

  // Throttled: photos that are stored close together cause one refetch.
  const cache = useQueryClient();
  const askedFor = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (stored > askedFor.current) {
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void catchUp(cache, client, memoryId);
      }, ARRIVALS_MS);
    }
    askedFor.current = stored;
  }, [cache, client, memoryId, stored]);

  return useMemo(() => ({ queue, memoryId, files, busy: files.some(isBusy) }), [queue, memoryId, files]);
}

/**
 * Removes uploads from the queue once their photos are in the server's list, or once they became the video of a photo.
 */
export function useForgetShown(
  { queue, files, memoryId }: MemoryUploads,
  objects: readonly { object_name: string }[],
  client = supabase,
) {
  const [remaining, setLeft] = useState(false);
  const look = useCallback(async () => {
    const stored = files.filter(({ state }) => state === "stored");
    // Batch progress needs the finished files until all are done.
    if (stored.length === 0 || files.some(isBusy)) return setLeft(false);
    const ids = new Set(objects.map(uploadIdOf));
    const rest = stored.filter(({ id }) => !ids.has(id));
    for (const attached of await attachedUploads(client, memoryId, rest)) ids.add(attached);
    setLeft(rest.some(({ id }) => !ids.has(id)));
    queue.forgetStored(stored.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
  }, [queue, files, memoryId, objects, client]);
  useEffect(() => {
    void look();
    if (!remaining) return;
    const timer = setInterval(() => void look(), ATTACHED_POLL_MS);
    return () => clearInterval(timer);
  }, [look, remaining]);
}

const ATTACHABLE = new RegExp(`\\.(mov|mp4|mp|${RAW_FORMATS.join("|")})$`, "i");

/** The ids of uploads that became the video or raw photo of a photo, and so appear in no list. */
async function attachedUploads(client: SupabaseClient, memoryId: string, uploads: readonly UploadView[]) {
  if (!uploads.some(({ name }) => ATTACHABLE.test(name))) return [];
  const { data } = await client
    .from("media")
    .select("object_name")
    .match({ memory_id: memoryId, moderation: "attached" })
    .order("created_at", { ascending: false })
    .limit(MOST_ATTACHED);
  return (data ?? []).map(uploadIdOf);
}

/** The number of a memory's unfinished uploads. */
export function useUploadsLeft(memoryId: string): number {
  const { subscribe, get } = ownUploads().files;
  return useSyncExternalStore(
    subscribe,
    () => get().filter((upload) => upload.memoryId === memoryId && isBusy(upload)).length,
  );
}

/** The total progress, a few times a second, and the remaining time; undefined while it cannot be estimated. */
export function useOverallProgress(
  queue: UploadQueue,
  files: readonly UploadView[],
): { overall: OverallProgress; timeLeft: TimeLeft | undefined } {
  const sent = useSyncExternalStore(
    queue.subscribeProgress,
    useCallback(() => files.reduce((sum, { id }) => sum + queue.sentOf(id), 0), [queue, files]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sent` stands for what the queue knows of each file.
  const overall = useMemo(
    () => overallProgress(files.map(({ id, size, state }) => ({ size, state, sent: queue.sentOf(id) }))),
    [queue, files, sent],
  );
  return { overall, timeLeft: useTimeLeft(overall.busy, overall.sentBytes, overall.remainingBytes) };
}

/** One file's progress: bytes sent, and the remaining time. */
export function useFileProgress(queue: UploadQueue, { id, size, state }: UploadView) {
  const sent = useSyncExternalStore(queue.subscribeProgress, () => queue.sentOf(id));
  return { sent, timeLeft: useTimeLeft(state === "uploading", sent, size - sent) };
}

function useTimeLeft(active: boolean, sentBytes: number, remainingBytes: number): TimeLeft | undefined {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    setSamples((before) => (active ? withSample(before, { at: Date.now(), sentBytes }) : []));
  }, [active, sentBytes]);
  const seconds = active ? secondsLeft(samples, remainingBytes) : undefined;
  return seconds === undefined ? undefined : roundedTimeLeft(seconds);
}

const trayVisible = createStore(false);

/** Whether the upload tray is visible, so that no other progress indicator is needed. */
export const useIsTrayVisible = () => useStore(trayVisible);

/** Returns a ref for the tray, and reports to {@link useIsTrayVisible} whether its element is visible. */
export function useVisibilityRef<T extends Element>() {
  const element = useRef<T>(null);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((moments) => trayVisible.set(moments.at(-1)?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      trayVisible.set(false);
    };
  }, []);
  return element;
}
