import type { QueryClient } from "@tanstack/react-query";
import {
  cardPath,
  endWithoutContact,
  entriesIn,
  entryPath,
  findEntry,
  noteContact,
  ownerPath,
  putEntry,
  putJson,
  withCache,
  withNewCache,
} from "./copy-entries.ts";

type Answers = readonly (readonly [key: readonly unknown[], data: unknown])[];

/** The offline copy of a memory's or album's page. */
export interface PageCopy {
  title: string;
  path: string;
  /** When it was read from the server, in milliseconds since 1970. */
  at: number;
  answers: Answers;
}

/** Writes the copies of one account or link. After they are deleted, writing has no effect. */
export interface CopyWriter {
  write(id: string, page: PageCopy): Promise<void>;
  writeSession(session: unknown): Promise<void>;
  writeCard(code: string, shareId: string): Promise<void>;
}

/**
 * Opens the copies of an account or link. `ownerId` is the id that its signed URLs name. Resolves to undefined if this
 * device keeps none.
 */
export async function openCopies(cacheName: string, ownerId: string): Promise<CopyWriter | undefined> {
  const cache = await withNewCache(cacheName, async (cache) => {
    await noteContact(cache, cacheName);
    if (!(await findEntry(cache, ownerPath(ownerId)))) await putEntry(cache, ownerPath(ownerId), new Blob([cacheName]));
    return cache;
  });
  // A deleted cache's object can still be written to, but nobody can read it.
  return (
    cache && {
      async write(id, page) {
        await putJson(cache, entryPath(cacheName, `pages/${id}`), page);
        await noteContact(cache, cacheName);
        await removeOtherPictures(cache, cacheName, id, JSON.stringify(page.answers));
      },
      writeSession: (session) => putJson(cache, entryPath(cacheName, "session"), session),
      writeCard: (code, shareId) => putJson(cache, cardPath(code), shareId),
    }
  );
}

async function readJson<T>(cacheName: string, path: string): Promise<T | undefined> {
  if (!(await endWithoutContact(cacheName))) return undefined;
  return withCache(cacheName, async (cache) => (await findEntry(cache, path))?.json());
}

export const readPage = (cacheName: string, id: string) =>
  readJson<PageCopy>(cacheName, entryPath(cacheName, `pages/${id}`));

export const readSession = <Session>(cacheName: string) =>
  readJson<Session>(cacheName, entryPath(cacheName, "session"));

/** The pages that are kept in a cache, the newest first. */
export async function listPages(cacheName: string): Promise<(PageCopy & { id: string })[]> {
  if (!(await endWithoutContact(cacheName))) return [];
  const pages = await withCache(cacheName, async (cache) => {
    const entries = await entriesIn(cache, entryPath(cacheName, "pages/"));
    return Promise.all(
      entries.map(async ({ request, path }) => {
        const page = (await (await cache.match(request))?.json()) as PageCopy | undefined;
        return page ? [{ ...page, id: path.split("/").at(-1) ?? "" }] : [];
      }),
    );
  });
  return (pages ?? []).flat().sort((a, b) => b.at - a.at);
}

/** Removes the pictures of a memory that its page does not name any more, e.g. of a photo that was deleted. */
async function removeOtherPictures(cache: Cache, cacheName: string, id: string, names: string) {
  for (const { request, path } of await entriesIn(cache, entryPath(cacheName, "pictures/"))) {
    const [width, object = ""] = path.split("/").reverse();
    if (width && path.split("/").includes(id) && !names.includes(object.replace(/\..*/, "")))
      await cache.delete(request);
  }
}

/** The ids of the pages in a cache, and of the memories whose pictures it contains. */
export async function listIds(cacheName: string): Promise<string[]> {
  if (!(await endWithoutContact(cacheName))) return [];
  const entries = await withCache(cacheName, (cache) => entriesIn(cache, entryPath(cacheName, "")));
  return [
    ...new Set((entries ?? []).flatMap(({ path }) => /\/(?:pages|pictures\/[^/]+)\/([^/]+)/.exec(path)?.[1] ?? [])),
  ];
}

/** Notes that the server has confirmed the right to the pages that are still in a cache. */
export const confirmCopies = (cacheName: string) => withCache(cacheName, (cache) => noteContact(cache, cacheName));

/** Removes a page whose right has ended, and its pictures. */
export const removePage = (cacheName: string, id: string) =>
  withCache(cacheName, async (cache) => {
    const ofPage = (await entriesIn(cache)).filter(({ path }) => path.split("/").includes(id));
    await Promise.all(ofPage.map(({ request }) => cache.delete(request)));
  });

/** Puts a copy's answers into the query client, as old as they are. */
export function restoreAnswers(queries: QueryClient, { answers, at }: PageCopy) {
  for (const [key, data] of answers) queries.setQueryData(key, data, { updatedAt: at });
}
