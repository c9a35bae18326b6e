import type { OpenSession } from "../../data/share-state.ts";
import { copiesOfLink } from "../../lib/offline/copies.ts";
import { listPages, readSession } from "../../lib/offline/copy-store.ts";
import { goOffline } from "../../lib/offline/offline-mode.ts";
import { offline } from "../../lib/offline/offline-state.ts";
import { FunctionRefusal } from "../../lib/request/call-function.ts";
import { openShare, type Secret } from "./share-session.ts";

const LASTS_MS = 60 * 60_000;

/**
 * Opens a link's offline copy after `error`, or without an error if the page itself was served without a network. Throws
 * the error of the opening if the server has answered, a secret was typed, or this device keeps no copy.
 */
export async function openLinkCopy(shareId: string, secret: Secret, error?: unknown): Promise<OpenSession> {
  const isTyped = Object.keys(secret).length > 0;
  const copy = error instanceof FunctionRefusal || isTyped ? undefined : await findCopy(shareId).catch(() => undefined);
  if (copy) {
    goOffline();
    return copy;
  }
  if (error !== undefined) throw error;
  offline.set(false);
  return openShare(shareId, secret);
}

async function findCopy(shareId: string): Promise<OpenSession | undefined> {
  const cacheName = copiesOfLink(shareId);
  const session = await readSession<OpenSession>(cacheName);
  const pages = session ? await listPages(cacheName) : [];
  if (!session || pages.length === 0) return undefined;
  const answers = pages.flatMap((page) => page.answers.map(([key, data]) => [key, data] as [typeof key, unknown]));
  return { ...session, expiresAt: Date.now() + LASTS_MS, copied: true, screen: { answers, pictures: [] } };
}
