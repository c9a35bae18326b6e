import { useEffect } from "react";
import type { OpenSession } from "../../data/share-state.ts";
import { openCopies } from "../../lib/offline/copy-store.ts";
import { checkCopies } from "./check-copies.ts";
import type { CopyOwner } from "./copy-owner.ts";

/** Keeps what opens a link's page: its session without the token's signature, and the card that led to it. */
export function useLinkCopy({ cacheName, id, session, shareId, client }: CopyOwner, isOffline: boolean) {
  useEffect(() => {
    if (isOffline || !globalThis.caches || !session || session.copied || shareId === undefined) return;
    let hasLeft = false;
    const keep = async () => {
      const writer = await openCopies(cacheName, id);
      if (!writer) return;
      await writer.writeSession(withoutCredentials(session));
      const [, code] = /(?:^|; )skies-card=(\w+)/.exec(document.cookie) ?? [];
      if (code) await writer.writeCard(code, shareId);
      // Memories of an album may have been removed from it.
      if (client && !hasLeft) await checkCopies(client, cacheName);
    };
    void keep().catch(() => {});
    return () => {
      hasLeft = true;
    };
  }, [cacheName, id, session, shareId, client, isOffline]);
}

/** A session whose token the server would not accept: without its signature. */
const withoutCredentials = ({ screen: _, token, ...session }: OpenSession): OpenSession => ({
  ...session,
  token: token.replace(/[^.]*$/, ""),
});
