import { sendInBackground } from "./data/outbox/background.ts";
import { OUTBOX } from "./data/outbox/write-store.ts";
import { copyCaches, forgetCopies } from "./lib/offline/copies.ts";
import {
  cardPath,
  endWithoutContact,
  entriesIn,
  entryPath,
  findEntry,
  keepWithinLimit,
  noteContact,
  ownerPath,
  putEntry,
  withCache,
} from "./lib/offline/copy-entries.ts";
import type { CopyMessage } from "./lib/offline/copy-message.ts";
import { openPush, type PushScope, showPush } from "./lib/push/show-push.ts";
import { isForeign, isOwnPage } from "./lib/request/own-answer.ts";
import { FILES_FIELD, keepReceived } from "./media/uploads/received-files.ts";

// TypeScript's types of workers and of pages exclude each other.
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}
interface WorkerScope {
  addEventListener(type: "install" | "activate" | "periodicsync", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "sync", listener: (event: ExtendableEvent & { tag: string }) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: ExtendableEvent & { data: CopyMessage }) => void): void;
  addEventListener(
    type: "push",
    listener: (event: ExtendableEvent & { data: { text(): string } | null }) => void,
  ): void;
  addEventListener(
    type: "notificationclick",
    listener: (event: ExtendableEvent & { notification: Notification }) => void,
  ): void;
  clients: PushScope["clients"] & { claim(): Promise<void> };
  registration: PushScope["registration"] & {
    navigationPreload?: { enable(): Promise<void>; disable(): Promise<void> };
  };
}
const scope = self as unknown as WorkerScope;

/** The files of this build (scripts/setup/service-worker.mjs): for links, and what members need besides. */
declare const BUILD: { id: string; entry: string; link: string[]; member: string[] };

const APP = "skies-app-";
const APP_OF_BUILD = APP + BUILD.id;
/** Any page that is not prerendered: all share one HTML. */
const PAGE = "/memory/offline";
const SETTINGS = "/config.json";
/** The page that puts received files into a memory (`shared/pages.ts`). */
const ADD = "/add";
const MEMBER_MARK = "/offline/member";
/** A page or picture that takes longer than this is served from the copy, in milliseconds. */
const SLOW_MS = 5000;
const CHECK_PAUSE_MS = 1000;

scope.addEventListener("install", (event) => event.waitUntil(takeOverApp()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("periodicsync", (event) => event.waitUntil(Promise.all([checkLinks(), sendInBackground()])));
scope.addEventListener("sync", (event) => {
  if (event.tag === OUTBOX) event.waitUntil(sendInBackground());
});
scope.addEventListener("push", (event) => event.waitUntil(showPush(scope, event.data?.text() ?? "")));
scope.addEventListener("notificationclick", (event) => event.waitUntil(openPush(scope, event.notification)));
scope.addEventListener("message", (event) => event.waitUntil(keep(event.data)));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method === "POST" && request.mode === "navigate" && pathname === ADD) event.respondWith(receive(request));
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (isPage(pathname)) event.respondWith(page(event, pathname));
  } else if (pathname.startsWith("/assets/")) event.respondWith(file(event));
  else if (pathname === SETTINGS) event.respondWith(settings(event));
  else if (pathname.startsWith(PICTURES)) event.respondWith(picture(event));
});

const isPage = (path: string) =>
  !/^\/(admin|assets|auth\/v1|config|functions|health|readyz|realtime|rest|sandbox|storage|\.)/.test(path) &&
  !/\.\w+$/.test(path);

const appCaches = async () => (await caches.keys()).filter((name) => name.startsWith(APP));

/** Prepares an update: stores what the build before has stored. The new build serves pages when no page is open. */
async function takeOverApp() {
  if ((await appCaches()).length === 0) return;
  const member = await caches.match(MEMBER_MARK);
  await storeApp(member ? "member" : "link");
}

async function activate() {
  for (const name of await appCaches()) if (name !== APP_OF_BUILD) await caches.delete(name);
  // Without a network, Firefox shows its own error page in place of the service worker's answer if it has begun the request.
  const { navigationPreload: preload } = scope.registration;
  await (/ Firefox\//.test(navigator.userAgent) ? preload?.disable() : preload?.enable());
  await scope.clients.claim();
}

/**
 * Stores the files of this build that pages need without a network, and those that a page has loaded. The page itself is
 * stored last.
 */
async function storeApp(kind: CopyMessage["kind"], loaded: string[] = []) {
  const cache = await caches.open(APP_OF_BUILD);
  const names = [...BUILD.link, ...(kind === "member" ? BUILD.member : [])].map((name) => `/${name}`);
  // What the page has loaded besides is in the browser's own cache.
  const files = new Set([...names, ...loaded]);
  const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await addAll(
    cache,
    [...files].filter((name) => !stored.has(name)),
  );
  if (kind === "member") await cache.put(MEMBER_MARK, new Response());
  if (!stored.has(SETTINGS)) await addAll(cache, [SETTINGS]);
  if (stored.has(PAGE)) return;
  const response = await fetch(PAGE);
  // The server may have been updated meanwhile. Then its own service worker follows.
  if (response.ok && (await response.clone().text()).includes(BUILD.entry)) await cache.put(PAGE, response);
}

/** Stores these files, or none if one of them cannot be fetched or is a page of something on the way. */
async function addAll(cache: Cache, names: string[]) {
  await cache.addAll(names);
  const foreign = [];
  for (const name of names) {
    const response = await cache.match(name);
    if (response && isForeign(response)) foreign.push(name);
  }
  if (foreign.length === 0) return;
  for (const name of names) await cache.delete(name);
  throw new Error(`Pages came in place of ${foreign}`);
}

const DOWN = new Set([502, 503, 504]);
const afterPatience = () => new Promise<undefined>((resolve) => setTimeout(resolve, SLOW_MS));

/** Serves a page from the network, or without one, the app's page with a mark. */
async function page(event: FetchEvent, path: string): Promise<Response> {
  const network = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  const copy = await caches.match(PAGE);
  if (!copy) return network;
  const response = await Promise.race([network, afterPatience()]).catch(() => undefined);
  // A proxy answers for a server that is down.
  if (response && !DOWN.has(response.status)) {
    event.waitUntil(afterContact(path, response.clone()).catch(() => {}));
    return response;
  }
  network.catch(() => {});
  unreachableAt = Date.now();
  event.waitUntil(endOldCopies());
  const [, code] = /^\/c\/([^/]+)\/?$/i.exec(path) ?? [];
  const link = code && (await linkOfCard(code));
  if (link) return Response.redirect(`/shared/${link}`);
  // Without the links to scripts of one page, which others do not keep.
  const html = (await copy.text())
    .replace(/<link rel="modulepreload"[^>]*>/g, "")
    .replace("<html ", "<html data-offline ");
  return new Response(html, { headers: copy.headers });
}

/** The share id of the link that an engraved card has opened on this device. */
async function linkOfCard(code: string): Promise<string | undefined> {
  for (const name of await copyCaches()) {
    const entry =
      (await endWithoutContact(name)) && (await withCache(name, (cache) => findEntry(cache, cardPath(code))));
    if (entry) return entry.json();
  }
  return undefined;
}

/** Keeps the files that another app shares, also without a network, for the page that asks for their memory. */
async function receive(request: Request): Promise<Response> {
  try {
    const fields = (await request.formData()).getAll(FILES_FIELD);
    await keepReceived(fields.filter((field): field is File => field instanceof File && field.size > 0));
    return Response.redirect(ADD, 303);
  } catch {
    // There is no room for them.
    return Response.redirect(`${ADD}?lost`, 303);
  }
}

/**
 * Serves a built file. Its name contains a hash, so that files of two builds cannot be confused. A page that could not read
 * its files requests them anew.
 */
async function file({ request }: FetchEvent): Promise<Response> {
  if (request.cache === "reload") {
    const response = await fetch(request);
    for (const name of await appCaches()) {
      const cache = await caches.open(name);
      if (response.ok && !isForeign(response) && (await cache.match(request)))
        await cache.put(request, response.clone());
    }
    return response;
  }
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Serves the app's settings, from the copy at once after a page was served from the copy. */
async function settings({ request }: FetchEvent): Promise<Response> {
  const stored = await caches.match(SETTINGS);
  if (stored && Date.now() - unreachableAt < SLOW_MS) return stored;
  const network = fetch(request);
  const response = await Promise.race([network, afterPatience()]).catch(() => undefined);
  if (response || !stored) return response ?? network;
  network.catch(() => {});
  return stored;
}
let unreachableAt = 0;

const PICTURES = "/storage/v1/render/image/sign/";
/** The buckets of a memory's and an album's pictures. */
const BUCKETS = /^(media|posters|covers)\//;

/** Serves a picture from the network, and keeps it for the account or link that may see it. */
async function picture(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cacheName = await ownerOf(request.url);
  if (!cacheName) return fetch(request);
  const path = picturePath(cacheName, request.url);
  const network = fetch(request);
  const response = await Promise.race([network, afterPatience()]).catch(() => undefined);
  if (response) {
    event.waitUntil(keepPicture(cacheName, path, response.clone()).catch(() => {}));
    return response;
  }
  const copy = await findPicture(cacheName, path);
  if (!copy) return network;
  network.catch(() => {});
  return copy;
}

function picturePath(cacheName: string, url: string) {
  const { pathname, searchParams } = new URL(url);
  // The back of a print and each page of a paper are pictures of their own.
  const part = searchParams.get("side") ?? searchParams.get("page");
  const picture = `${pathname.slice(PICTURES.length)}${part ? `+${part}` : ""}`;
  return entryPath(cacheName, `pictures/${picture}/${searchParams.get("width")}`);
}

/** The picture in this width, or in any other one. */
async function findPicture(cacheName: string, path: string) {
  if (!(await endWithoutContact(cacheName))) return undefined;
  return withCache(cacheName, async (cache) => {
    const exact = await findEntry(cache, path);
    if (exact) return exact;
    const widths = await entriesIn(cache, path.replace(/[^/]*$/, ""));
    const [largest] = widths.sort((a, b) => b.size - a.size);
    return largest && cache.match(largest.request);
  });
}

const ENDED = new Set([401, 403, 404, 410]);

async function keepPicture(cacheName: string, path: string, response: Response) {
  if (isForeign(response)) return;
  if (ENDED.has(response.status))
    return void (await withCache(cacheName, (cache) => cache.delete(path, { ignoreSearch: true })));
  const etag = response.headers.get("etag") ?? "";
  const isNew = await withCache(
    cacheName,
    async (cache) => (await findEntry(cache, path))?.headers.get("etag") !== etag,
  );
  if (response.status !== 200 || !isNew) return;
  const body = await response.blob();
  await withCache(cacheName, async (cache) => {
    await putEntry(cache, path, body, { etag });
    await removeEarlier(cache, path, etag);
  });
  if (!(await endWithoutContact(cacheName))) return;
  tidying ??= new Promise((resolve) => setTimeout(resolve, 1000)).then(keepWithinLimit).finally(() => {
    tidying = undefined;
  });
  await tidying;
}
let tidying: Promise<void> | undefined;

/** What a picture shows, in each of its sizes: its bytes and edit, with which its ETag begins. */
const shownBy = (etag: string) => etag.replace(/-[^-]*-[^-]*$/, "");

/** Deletes other sizes of a picture as it was shown before, because they may show what is blurred by now. */
async function removeEarlier(cache: Cache, path: string, etag: string) {
  for (const { request } of await entriesIn(cache, path.replace(/[^/]*$/, ""))) {
    const stored = await cache.match(request);
    if (stored && shownBy(stored.headers.get("etag") ?? "") !== shownBy(etag)) await cache.delete(request);
  }
}

/** The cache of the account or link that a signed URL names; undefined if it keeps no copies. */
async function ownerOf(url: string): Promise<string | undefined> {
  try {
    if (!BUCKETS.test(new URL(url).pathname.slice(PICTURES.length))) return undefined;
    const [, payload = ""] = (new URL(url).searchParams.get("token") ?? "").split(".");
    const { caller } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const owner = await caches.match(ownerPath(caller.share?.link ?? caller.sub), { ignoreSearch: true });
    return owner && (await owner.text());
  } catch {
    return undefined;
  }
}

/** Keeps the app and these pictures for a page that a person has opened. */
async function keep({ kind, cacheName, pictures, files }: CopyMessage) {
  // A page of the next build is open already before that build's service worker serves it.
  await storeApp(kind, files.includes(`/${BUILD.entry}`) ? files : []);
  for (const url of pictures) {
    const path = picturePath(cacheName, url);
    const edit = new URL(url).searchParams.get("edit") ?? "";
    const isKept = await withCache(cacheName, async (cache) => {
      const entry = await findEntry(cache, path);
      return entry !== undefined && shownBy(entry.headers.get("etag") ?? "").endsWith(edit);
    });
    if (isKept === undefined) return;
    if (isKept) continue;
    await fetch(url).then(
      (response) => keepPicture(cacheName, path, response),
      () => {},
    );
  }
  await keepWithinLimit();
}

const LINK = /-link-(.+)$/;
/** A link's page contains this if it opens without asking, e.g. because this device stays admitted. */
const OPENS = / id="config" data-open>/;
let checkedAt = 0;

/** Deletes copies of links that do not open any more: the opened link's at once, others' beside it. */
async function afterContact(path: string, response: Response) {
  const [, shareId] = /^\/shared\/([^/]+)/.exec(path) ?? [];
  for (const name of await copyCaches()) {
    if (shareId !== undefined && LINK.exec(name)?.[1] === shareId) await judge(name, response);
  }
  if (Date.now() - checkedAt > CHECK_PAUSE_MS) await checkLinks(shareId);
}

async function judge(cacheName: string, response: Response) {
  const html = await response.text();
  // A page of something on the way is no contact.
  if (!isOwnPage(html)) return;
  if (ENDED.has(response.status) || (response.ok && !OPENS.test(html))) await forgetCopies(cacheName);
  else if (response.ok) await withCache(cacheName, (cache) => noteContact(cache, cacheName));
}

async function endOldCopies() {
  for (const name of await copyCaches()) await endWithoutContact(name);
}

async function checkLinks(except?: string) {
  checkedAt = Date.now();
  for (const name of await copyCaches()) {
    const shareId = LINK.exec(name)?.[1];
    if (!(await endWithoutContact(name)) || shareId === undefined || shareId === except) continue;
    await fetch(`/shared/${shareId}`, { cache: "no-store" }).then(
      (response) => judge(name, response),
      () => {},
    );
  }
}
