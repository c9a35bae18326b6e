import type { Page } from "@playwright/test";
import { expect } from "./e2e.ts";

/**
 * Everything that this browser stores for the site, by name: entries of caches, and keys of storages and databases. Files of
 * the app are named only by their cache.
 */
export const storedKeys = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const entries: string[] = [];
    // With the lock of the copies: opening a cache that the page has deleted meanwhile would make it again.
    await navigator.locks.request("skies-copies", { mode: "shared" }, async () => {
      for (const name of await caches.keys()) {
        entries.push(`cache ${name}`);
        for (const { url } of await (await caches.open(name)).keys())
          if (!new URL(url).pathname.startsWith("/assets/")) entries.push(`cache ${name} ${new URL(url).pathname}`);
      }
    });
    const answer = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const keys = await answer(database.transaction(store).objectStore(store).getAllKeys());
        entries.push(...keys.map((key) => `database ${name} ${store} ${JSON.stringify(key)}`));
      }
      database.close();
    }
    return [
      ...entries,
      ...Object.keys(localStorage).map((key) => `local ${key}`),
      ...Object.keys(sessionStorage).map((key) => `tab ${key}`),
    ].sort();
  });

/** {@link storedKeys}, with names instead of ids and without the device's own settings and the app's build. */
export async function cacheEntries(page: Page, names: Record<string, string> = {}): Promise<string[]> {
  const DEVICE = /^local (theme|i18nextLng|skies-consent|cookie_consent|skies-install-)|^tab (sentry|skies-scroll)/;
  const keys = (await storedKeys(page)).filter((key) => !DEVICE.test(key));
  return keys
    .map((key) =>
      Object.entries(names).reduce(
        (text, [name, id]) => text.replaceAll(id, name),
        key.replace(/app-[\w-]{6,}/, "app"),
      ),
    )
    .map((key) => key.replace(/[0-9a-f-]{36}(\.\w+)*\/\d+$/, "PICTURE"))
    .filter((key, at, all) => all.indexOf(key) === at)
    .sort();
}

/** The entries of caches that contain what a person or link may see. */
export const privateEntries = async (page: Page): Promise<string[]> =>
  (await storedKeys(page)).filter(
    (entry) => entry.startsWith("cache ") && !/^cache skies-(app|offline-settings)/.test(entry),
  );

/** Waits until this browser keeps a page with so many pictures, and the app. */
export async function expectKept(page: Page, pictures: number) {
  await expect
    .poll(async () => {
      const entries = await storedKeys(page);
      const has = (part: string) => entries.filter((entry) => entry.includes(part)).length;
      return {
        app: has("/memory/offline") > 0,
        page: has("/pages/") > 0,
        pictures: has("/pictures/") >= pictures,
      };
    })
    .toEqual({ app: true, page: true, pictures: true });
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** Whether every picture of the page that is near the viewport has loaded. */
export const brokenPictures = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLImageElement>("main img")]
      .filter(({ complete, naturalWidth, currentSrc }) => currentSrc !== "" && complete && naturalWidth === 0)
      .map(({ currentSrc }) => currentSrc),
  );

/** The bytes that the site uses in this browser, and those of its offline copies alone. */
export const usedBytes = (page: Page): Promise<{ all: number; copies: number }> =>
  page.evaluate(async () => {
    let copies = 0;
    await navigator.locks.request("skies-copies", { mode: "shared" }, async () => {
      for (const name of (await caches.keys()).filter((name) => name.startsWith("skies-copies-")))
        for (const { url } of await (await caches.open(name)).keys())
          copies += Number(new URL(url).searchParams.get("size"));
    });
    return { all: (await navigator.storage.estimate()).usage ?? 0, copies };
  });

/** Which builds the caches of the app contain files of, and which one the page has loaded. */
export const builds = (page: Page) =>
  page.evaluate(async () => {
    const buildOf = (urls: string[]) => {
      const files = urls.filter((url) => /\/assets\//.test(url));
      const ofSecond = files.filter((url) => url.includes("/second/")).length;
      return files.length === 0 ? "nothing" : ofSecond === 0 ? "first" : ofSecond === files.length ? "second" : "mixed";
    };
    const names = (await caches.keys()).filter((name) => name.startsWith("skies-app-"));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return {
      kept: keys.map((requests) => buildOf(requests.map(({ url }) => url))).sort(),
      shown: buildOf(performance.getEntriesByType("resource").map(({ name }) => name)),
    };
  });

/** The versions of the site's service worker by id, each with its status, as the browser reports them from now on. */
export async function serviceWorkers(page: Page): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  const session = await page.context().newCDPSession(page);
  session.on("ServiceWorker.workerVersionUpdated", (event) => {
    for (const { versionId, status } of event.versions) versions.set(versionId, status);
  });
  await session.send("ServiceWorker.enable");
  return versions;
}

/** Has the browser's background sync run now, as after the network is back while no page is open. */
export async function backgroundSync(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  await session.send("ServiceWorker.dispatchSyncEvent", {
    origin,
    registrationId: await registration,
    tag: "skies-outbox",
    lastChance: true,
  });
}
