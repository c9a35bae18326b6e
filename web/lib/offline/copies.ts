/** Prefix of the caches that contain offline copies. Each account and each link has a cache of its own. */
const PREFIX = "skies-copies-";

export const copiesOfPerson = (userId: string) => `${PREFIX}person-${userId}`;
export const copiesOfLink = (shareId: string) => `${PREFIX}link-${shareId}`;

/** Runs `work` while no other page or service worker deletes copies (`exclusive`) or writes them (`shared`). */
export const withLock = async <Result>(mode: LockMode, work: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request("skies-copies", { mode }, work) : work();

/** Deletes the offline copies of an account or link. It never rejects. */
export async function forgetCopies(cacheName: string): Promise<void> {
  const remove = async () => globalThis.caches?.delete(cacheName);
  // At once, because the page may be about to close. Somebody who was writing has made the cache again.
  await remove().catch(() => {});
  await withLock("exclusive", remove).catch(() => {});
}

/** The names of all caches with offline copies; none where the browser has no caches. */
export const copyCaches = async (): Promise<string[]> =>
  (await globalThis.caches?.keys().catch(() => []))?.filter((name) => name.startsWith(PREFIX)) ?? [];

/** Deletes the offline copies of everybody on this device. */
export const forgetAllCopies = async (): Promise<unknown> => Promise.all((await copyCaches()).map(forgetCopies));
