/** Prefix of the caches that contain offline copies. Each account and each link has a cache of its own. */
const PREFIX = "skies-copies-";

export const copiesOfPerson = (userId: string) => `${PREFIX}person-${userId}`;
export const copiesOfLink = (shareId: string) => `${PREFIX}link-${shareId}`;

/** Deletes the offline copies of an account or link. */
export const forgetCopies = (cacheName: string) => void globalThis.caches?.delete(cacheName).catch(() => {});

/** The names of all caches with offline copies; none where the browser has no caches. */
export const copyCaches = async (): Promise<string[]> =>
  (await globalThis.caches?.keys().catch(() => []))?.filter((name) => name.startsWith(PREFIX)) ?? [];

/** Deletes the offline copies of everybody on this device. */
export const forgetAllCopies = async () => (await copyCaches()).forEach(forgetCopies);
