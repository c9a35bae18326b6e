import { copyCaches, forgetCopies, withLock } from "./copies.ts";

/**
 * The entries of the caches with offline copies, for pages and for the service worker. The path of every entry contains
 * its cache's name, and its query the size and time, so that a list of the keys is enough to sum up and to tidy.
 */
const ROOT = "/offline/";

/** Copies are deleted after this time without contact with the server, in milliseconds. */
const LONGEST_MS = 30 * 86_400_000;
const DEFAULT_LIMIT = 200 * 1024 ** 2;
/** The cache of the device's own setting; it contains nothing private. */
const SETTINGS = "skies-offline-settings";
const LIMIT = `${ROOT}limit`;

/** The path of an entry. `part` is e.g. `pages/{memory id}` or `pictures/{object}/{width}`. */
export const entryPath = (cacheName: string, part: string) => `${ROOT}${cacheName}/${part}`;

const IGNORING = { ignoreSearch: true, ignoreVary: true };

/** The path of the entry that says whose cache this is: the name of the cache for the id that signed URLs name. */
export const ownerPath = (ownerId: string) => `${ROOT}owners/${ownerId}`;

/** The path of the entry that says which link an engraved card with this code opens. */
export const cardPath = (code: string) => `${ROOT}cards/${code.replace(/\W/g, "").toUpperCase()}`;

/**
 * Runs `work` with a cache of copies. Resolves to undefined if there is none: opening a deleted cache would make it again.
 * `work` must wait neither for the network nor for another cache.
 */
export const withCache = <Result>(
  cacheName: string,
  work: (cache: Cache) => Promise<Result>,
): Promise<Result | undefined> =>
  withLock("shared", async () => ((await caches.has(cacheName)) ? work(await caches.open(cacheName)) : undefined));

/** Runs `work` with a cache of copies, which it may make; not at all if this device keeps none. */
export const withNewCache = <Result>(
  cacheName: string,
  work: (cache: Cache) => Promise<Result>,
): Promise<Result | undefined> =>
  withLock("shared", async () => ((await copyLimit()) > 0 ? work(await caches.open(cacheName)) : undefined));

export const findEntry = (cache: Cache, path: string) => cache.match(path, IGNORING);

export interface Entry {
  request: Request;
  path: string;
  /** In bytes. */
  size: number;
  /** When it was stored, in milliseconds since 1970. */
  at: number;
}

/** The entries of a cache, or those below a path. */
export async function entriesIn(cache: Cache, below = ROOT): Promise<Entry[]> {
  const entries = (await cache.keys()).map((request) => {
    const { pathname, searchParams } = new URL(request.url);
    return { request, path: pathname, size: Number(searchParams.get("size")), at: Number(searchParams.get("at")) };
  });
  return entries.filter(({ path }) => path.startsWith(below));
}

/** Stores an entry, and removes an earlier one at this path. */
export async function putEntry(cache: Cache, path: string, body: Blob, headers: Record<string, string> = {}) {
  const before = await cache.keys(path, IGNORING);
  const url = `${path}?size=${body.size}&at=${Date.now()}`;
  await cache.put(url, new Response(body, { headers }));
  await Promise.all(before.filter((old) => !old.url.endsWith(url)).map((old) => cache.delete(old)));
}

export const putJson = (cache: Cache, path: string, value: unknown) =>
  putEntry(cache, path, new Blob([JSON.stringify(value)], { type: "application/json" }));

/** The bytes that all offline copies of this device use. */
export async function bytesOfCopies(): Promise<number> {
  const entries = await Promise.all((await copyCaches()).map((name) => withCache(name, entriesIn)));
  return entries.flatMap((ofCache) => ofCache ?? []).reduce((sum, { size }) => sum + size, 0);
}

/** The bytes that offline copies may use on this device. */
export async function copyLimit(): Promise<number> {
  const stored = await caches.match(LIMIT, { cacheName: SETTINGS });
  return stored ? Number(await stored.text()) : DEFAULT_LIMIT;
}

export const setCopyLimit = async (bytes: number) =>
  (await caches.open(SETTINGS)).put(LIMIT, new Response(String(bytes)));

/** Deletes the oldest entries beyond the limit, pictures before texts, and nothing else while pictures remain. */
export async function keepWithinLimit(): Promise<void> {
  const limit = await copyLimit();
  const names = await copyCaches();
  // With no room at all, not even the owners' names stay.
  if (limit === 0) return void (await Promise.all(names.map(forgetCopies)));
  const entries = await Promise.all(
    names.map((name) =>
      withCache(name, async (cache) => (await entriesIn(cache)).map((entry) => ({ ...entry, cache }))),
    ),
  );
  const isText = ({ path }: Entry) => Number(!path.includes("/pictures/"));
  const oldest = entries.flatMap((ofCache) => ofCache ?? []).sort((a, b) => isText(a) - isText(b) || a.at - b.at);
  let used = oldest.reduce((sum, { size }) => sum + size, 0);
  for (const { cache, request, size } of oldest) {
    if (used <= limit) return;
    // The object of a cache that was deleted meanwhile has no effect.
    await cache.delete(request);
    used -= size;
  }
}

const contactPath = (cacheName: string) => entryPath(cacheName, "contact");

/** Notes that the server has just confirmed the right to these copies. */
export const noteContact = (cache: Cache, cacheName: string) => putJson(cache, contactPath(cacheName), Date.now());

/** Deletes copies without contact for 30 days. Resolves to whether there still are copies with this name. */
export async function endWithoutContact(cacheName: string): Promise<boolean> {
  const isRecent = async (cache: Cache) => {
    const noted = await findEntry(cache, contactPath(cacheName));
    return noted !== undefined && Date.now() - Number(await noted.text()) < LONGEST_MS;
  };
  const inContact = await withCache(cacheName, isRecent);
  if (inContact !== false) return inContact === true;
  // Nobody is making the cache now: one without contact was written to while it was being deleted.
  await withLock("exclusive", async () => {
    const isThere = await caches.has(cacheName);
    if (isThere && !(await isRecent(await caches.open(cacheName)))) await caches.delete(cacheName);
  });
  return false;
}
