import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { OpenSession } from "../../data/share-state.ts";
import { type OpenedShareContext, stillOpenQuery } from "../../data/shared-link.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { useStore } from "../../lib/browser/store.ts";
import { offline } from "../../lib/offline/offline-state.ts";
import { newQueryClient } from "../../lib/request/query-client.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { type ShareSession, shareClient } from "../../lib/request/share-client.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";
import { GuestProvider, type GuestState } from "../../lib/session/guest.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";

export interface OpenedShareProps extends Omit<ShareSession, "onClosed"> {
  shareId: string;
  /** Id of the open memory of a shared album; undefined for the album itself. */
  memoryOfAlbum: string | undefined;
  session: OpenSession;
  /** Called after the server refused a request or the link changed, because the link may have ended. */
  onRefused: () => void;
  /** Called with a new session after the visitor gave a name, or a manager changed the link's settings. */
  onSession: (session: OpenSession) => void;
  /** Called after this device has forgotten the link. */
  onForgotten: () => void;
  /** Called after the visitor has declined the invitation whose email opened the link. */
  onDeclined: () => void;
  children: (share: OpenedShareContext) => ReactNode;
}

// Loaded on demand, because few visitors open an invitation and its texts are large.
const KeepInvited = lazyPart(async () => ({ default: (await import("./KeepInvited.tsx")).KeepInvited }), "nothing");
const SignDialog = lazyPart(() => import("./guests/SignDialog.tsx"), "over the page");

const FRESH_MS = 30_000;

/** Returns a query client with the data that the session's response contained, which stays fresh for `FRESH_MS`. */
function queriesWith({ screen, copied }: OpenSession): QueryClient {
  const queries = newQueryClient(0);
  for (const [key, answer] of screen?.answers ?? []) {
    queries.setQueryDefaults(key, { staleTime: FRESH_MS });
    queries.setQueryData(key, answer, { updatedAt: copied ? 0 : Date.now() });
  }
  return queries;
}

/**
 * Renders an opened share with a separate query cache. So the share's data is discarded when the link closes, and never
 * mixes with data that belongs to a signed-in person.
 */
export function OpenedShare(props: OpenedShareProps) {
  const { shareId, memoryOfAlbum, session, token, renew, onRefused, onSession, onDeclined, children } = props;
  const [client] = useState(() => shareClient({ token, renew, onClosed: onRefused }));
  const [queries] = useState(() => queriesWith(session));
  const memoryId = session.albumId === null ? session.memoryId : (memoryOfAlbum ?? null);

  // Realtime channels keep the last token that they received, so each new token is passed on.
  useEffect(() => {
    if (session.token) client.realtime.setAuth().catch(() => {});
  }, [client, session.token]);

  // Reloads all data if the link's version, the visible names, the person or the guest changes: each affects access.
  const { sub } = claimsIn(session.token);
  const person = typeof sub === "string" ? sub : undefined;
  const opens = `${session.version} ${session.showsNames} ${person ?? ""} ${session.guest?.id ?? ""}`;
  const lastOpens = useRef(opens);
  useEffect(() => {
    if (lastOpens.current === opens) return;
    lastOpens.current = opens;
    void refresh(queries, []);
  }, [queries, opens]);

  const [asking, setAsking] = useState(false);
  const onUnnamed = useRef<() => void>(undefined);
  const { guest, rights } = session;
  const askName = useCallback((onClosed?: () => void) => {
    onUnnamed.current = onClosed;
    setAsking(true);
  }, []);
  const visitor = useMemo<GuestState>(
    () => ({
      guest,
      shareId,
      holder: person ?? null,
      ...(rights !== "view" && person === undefined && { askName }),
    }),
    [guest, shareId, rights, person, askName],
  );
  const sender = useMemo(() => ({ token, renew }), [token, renew]);

  return (
    <QueryClientProvider client={queries}>
      <Watch client={client} session={session} onRefused={onRefused} onSession={onSession} />
      <GuestProvider value={visitor}>
        {session.invitation && (
          <KeepInvited
            shareId={shareId}
            client={client}
            person={person}
            onDeclined={onDeclined}
            invitation={session.invitation}
          />
        )}
        {children({ shareId, client, memoryId, session, sender, onRefused, onSession })}
      </GuestProvider>
      {asking && (
        <Suspense>
          <SignDialog
            shareId={shareId}
            session={session}
            onSigned={(signed) => {
              onUnnamed.current = undefined;
              onSession(signed);
            }}
            onClosed={() => {
              setAsking(false);
              onUnnamed.current?.();
            }}
          />
        </Suspense>
      )}
    </QueryClientProvider>
  );
}

/** Watches for changes to the link, even if the visitor sends no requests. */
function Watch({
  client,
  session,
  onRefused,
  onSession,
}: Pick<OpenedShareContext, "client" | "session" | "onRefused"> & Pick<OpenedShareProps, "onSession">) {
  const cache = useQueryClient();
  const stillOpen = stillOpenQuery(client, session);
  const isOpen = useQuery(stillOpen).data;
  const filter = `link_id=eq.${session.linkId}`;
  useRowChanges(client, [{ event: "*", table: "link_versions", filter }], (changes) => {
    const now = changes?.at(-1)?.row;
    if (!now) void refresh(cache, stillOpen.queryKey);
    // If the version is unchanged, only these settings can have changed, or a device was removed, maybe this one.
    else if (now.version === session.version && now.devices_removed === session.devicesRemoved)
      onSession({ ...session, showsNames: now.shows_names === true, moderated: now.moderated === true });
    else onRefused();
  });
  useEffect(() => {
    if (isOpen === false) onRefused();
  }, [isOpen, onRefused]);
  // An offline copy is replaced, or closed, once the server can be reached.
  const isOffline = useStore(offline);
  useEffect(() => {
    if (session.copied && !isOffline) onRefused();
  }, [session.copied, isOffline, onRefused]);
  return null;
}
