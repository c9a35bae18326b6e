import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { editKey } from "../../../shared/edit-key.ts";
import type { PhotoRef } from "../../data/photo.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useStore } from "../../lib/browser/store.ts";
import { type CopyWriter, openCopies } from "../../lib/offline/copy-store.ts";
import { keepApp } from "../../lib/offline/keep-app.ts";
import { offline } from "../../lib/offline/offline-state.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import type { MediaUrlCache } from "../media-url-cache.ts";
import { shownUrls, useMediaUrlCache } from "../use-media-urls.ts";
import type { CopyOwner } from "./copy-owner.ts";
import { useLinkCopy } from "./use-link-copy.ts";

interface OfflineCopyProps {
  owner: CopyOwner;
  /** The id of the memory or album. */
  id: string;
  title: string;
  cover?: PhotoRef | null;
  /** The photos, in the order of the page. */
  photos: readonly (PhotoRef & { state?: string; outlined?: true })[];
}

/** What reading a page needs; what managers see besides is not kept. */
const KEPT = new Set(
  "memory memoryRights day photos stories storyMedia entries comments hearts picturedPeople mediaNames whoQuestions reactions mediaUrls credit ownAdditions albums memories".split(
    " ",
  ),
);
/** How many pictures are kept besides the cover and those that were seen. */
const PICTURES = 12;
const WRITE_AFTER_MS = 1000;
/** The width of pictures that were not seen. */
const WIDTH = 640;

/** Keeps the page that a person has opened for reading without a network. Renders nothing. */
export default function OfflineCopy({ owner, id, title, cover, photos }: OfflineCopyProps) {
  const queries = useQueryClient();
  const urls = useMediaUrlCache();
  const { kind, cacheName, id: ownerId } = owner;
  const isOffline = useStore(offline);

  useEffect(() => {
    if (isOffline || !globalThis.caches) return;
    let [writer, timer]: [CopyWriter | undefined, ReturnType<typeof setTimeout> | undefined] = [undefined, undefined];
    // A page that was left must not write: the copies may have been deleted with it.
    let hasLeft = false;
    const write = async () => {
      if (hasLeft || offline.get()) return;
      const answers = answersOf(queries, urls, id);
      await writer?.write(id, { title, path: location.pathname, at: Date.now(), answers });
    };
    const writeSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void write().catch(() => {}), WRITE_AFTER_MS);
    };
    const begin = async () => {
      writer = await openCopies(cacheName, ownerId);
      if (!hasLeft) writeSoon();
    };
    void begin().catch(() => {});
    const endings = [queries.getQueryCache().subscribe(writeSoon), urls.subscribe(writeSoon)];
    return () => {
      hasLeft = true;
      clearTimeout(timer);
      for (const end of endings) end();
    };
  }, [queries, urls, cacheName, ownerId, id, title, isOffline]);

  useLinkCopy(owner, isOffline);

  const ready = photos
    .filter((photo) => photo.id !== cover?.id && photo.state === "ready" && !photo.outlined)
    .slice(0, PICTURES);
  // Earlier copies of a blurred photo go once it is stored as it is shown now.
  const blurred = photos.filter((photo) => photo.edit?.blur && photo.id !== cover?.id && !ready.includes(photo));
  const first = [...(cover ? [cover] : []), ...ready, ...blurred];
  const names = first.map((photo) => photo.id + editKey(photo.edit)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say which photos, and how they are shown
  useEffect(() => {
    if (isOffline || !globalThis.caches) return;
    let hasLeft = false;
    const keep = async () => {
      // The service worker keeps pictures only in copies that are there.
      if (!(await openCopies(cacheName, ownerId))) return;
      await urls.ask(first.filter((photo) => !urls.get(photo.id).picture));
      const unseen = first
        .flatMap((photo) => shownUrls(urls.get(photo.id), photo).picture ?? [])
        .map((url) => renditionUrl(url, WIDTH));
      const seen = performance.getEntriesByType("resource").map(({ name }) => name);
      const files = seen.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/assets/"));
      // Earlier URLs may not open any more.
      const signed = new Set(urls.known().map(([, { picture }]) => tokenIn(picture)));
      const pictures = seen.filter((url) => url.includes("/storage/v1/render/image/sign/") && signed.has(tokenIn(url)));
      // Another edit of the same picture is another one.
      const nameOf = (url: string) => `${new URL(url).pathname} ${new URL(url).searchParams.get("edit")}`;
      const visiblePictures = new Set(pictures.map(nameOf));
      const all = [...pictures, ...unseen.filter((url) => !visiblePictures.has(nameOf(url)))];
      if (!hasLeft) await keepApp({ kind, cacheName, pictures: all, files });
    };
    void keep().catch(() => {});
    return () => {
      hasLeft = true;
    };
  }, [urls, kind, cacheName, ownerId, names, isOffline]);
  return null;
}

const tokenIn = (url = "") => /[?&]token=([^&]+)/.exec(url)?.[1];

/** The data of the page's queries, and the URLs of its pictures. */
function answersOf(queries: QueryClient, urls: MediaUrlCache, id: string) {
  const ofPage = queries
    .getQueryCache()
    .getAll()
    .filter(({ queryKey, state }) => state.data !== undefined && KEPT.has(String(queryKey[0])))
    .filter(({ queryKey }) => JSON.stringify(queryKey).includes(id));
  const answers = ofPage.map(({ queryKey, state }) => [queryKey, state.data] as const);
  // Not of photos that have gone from the page.
  const answersText = JSON.stringify(answers);
  const cachedPhotos = urls.known().filter(([photo]) => answersText.includes(photo.id));
  return [...answers, [queryKeys.firstMediaUrls(id), cachedPhotos] as const];
}
