import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { OpenSession } from "../../data/share-state.ts";
import { type OpenedShareContext, stillOpenQuery } from "../../data/shared-link.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { type ShareSession, shareClient } from "../../lib/request/share-client.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";
import { GuestProvider, type GuestState } from "../../lib/session/guest.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";

export interface OpenedShareProps extends Omit<ShareSession, "onClosed"> {
  shareId: string;
  /** Which memory of a shared album is open; undefined for the album itself. */
  memoryOfAlbum: string | undefined;
  session: OpenSession;
  /** Something was refused: it may be that the link does not open any more. */
  onRefused: () => void;
  /** What the link opens now takes the place of what it opened: for anyone who gave their name, or as its managers say. */
  onSession: (session: OpenSession) => void;
  children: (share: OpenedShareContext) => ReactNode;
}

// Few come by the email of an invitation, and its words are many.
const KeepInvited = lazyPart(async () => ({ default: (await import("./KeepInvited.tsx")).KeepInvited }));
const SignDialog = lazyPart(() => import("./guests/SignDialog.tsx"));

const FRESH_MS = 30_000;

/** The queries of an opened share, with what came along: none of that is asked for again at once. */
function queriesWith(screen: OpenSession["screen"]): QueryClient {
  const queries = new QueryClient();
  for (const [key, answer] of screen?.answers ?? []) {
    queries.setQueryDefaults(key, { staleTime: FRESH_MS });
    queries.setQueryData(key, answer);
  }
  return queries;
}

/**
 * An opened share. What is read through it is kept in a memory of its own, which goes with it: nothing that the link
 * opened stays behind when it closes, and nothing that somebody signed in here has read is shown in its place.
 */
export function OpenedShare(props: OpenedShareProps) {
  const { shareId, memoryOfAlbum, session, token, renew, onRefused, onSession, children } = props;
  const [client] = useState(() => shareClient({ token, renew, onClosed: onRefused }));
  const [queries] = useState(() => queriesWith(session.screen));
  const memoryId = session.albumId === null ? session.memoryId : (memoryOfAlbum ?? null);

  // Channels go on as the person whom they were told of last. Who joins one asks for this again, also after a lost line.
  useEffect(() => {
    if (session.token) client.realtime.setAuth().catch(() => {});
  }, [client, session.token]);

  // Another version of the link may open more, or less, and so may somebody who signs in; names come and go with its wish.
  const { sub } = claimsIn(session.token);
  const person = typeof sub === "string" ? sub : undefined;
  const opens = `${session.version} ${session.showsNames} ${person ?? ""} ${session.guest?.id ?? ""}`;
  const shown = useRef(opens);
  useEffect(() => {
    if (shown.current === opens) return;
    shown.current = opens;
    void queries.invalidateQueries();
  }, [queries, opens]);

  const [asking, setAsking] = useState(false);
  const { guest, rights } = session;
  const visitor = useMemo<GuestState>(
    () => ({
      guest,
      holder: person ?? null,
      ...(rights !== "view" && person === undefined && { askName: () => setAsking(true) }),
    }),
    [guest, rights, person],
  );
  const sender = useMemo(() => ({ token, renew }), [token, renew]);

  return (
    <QueryClientProvider client={queries}>
      <Watch client={client} session={session} onRefused={onRefused} onSession={onSession} />
      <GuestProvider value={visitor}>
        {session.invitation && <KeepInvited client={client} invitation={session.invitation} person={person} />}
        {children({ shareId, client, memoryId, session, sender, onRefused })}
      </GuestProvider>
      {asking && (
        <Suspense>
          <SignDialog shareId={shareId} session={session} onSigned={onSession} onClosed={() => setAsking(false)} />
        </Suspense>
      )}
    </QueryClientProvider>
  );
}

/** Notices at once, also when nobody touches the page, that the link was changed. */
function Watch({
  client,
  session,
  onRefused,
  onSession,
}: Pick<OpenedShareContext, "client" | "session" | "onRefused"> & Pick<OpenedShareProps, "onSession">) {
  const { data: isOpen, refetch } = useQuery(stillOpenQuery(client, session));
  const filter = `link_id=eq.${session.linkId}`;
  useRowChanges(client, [{ event: "*", table: "link_versions", filter }], (told) => {
    const now = told?.at(-1)?.row;
    if (!now) void refetch();
    // Nothing has closed: what it says now is all that is new.
    else if (now.version === session.version)
      onSession({ ...session, showsNames: now.shows_names === true, moderated: now.moderated === true });
    else onRefused();
  });
  useEffect(() => {
    if (isOpen === false) onRefused();
  }, [isOpen, onRefused]);
  return null;
}
