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
  /** The open memory of a shared album; undefined for the album itself. */
  memoryOfAlbum: string | undefined;
  session: OpenSession;
  /** Called after a refusal, because the link may have ended. */
  onRefused: () => void;
  /** Replaces the session after the visitor gave a name, or managers changed the link's settings. */
  onSession: (session: OpenSession) => void;
  children: (share: OpenedShareContext) => ReactNode;
}

// Loaded on demand: few visitors come by an invitation, and its texts are large.
const KeepInvited = lazyPart(async () => ({ default: (await import("./KeepInvited.tsx")).KeepInvited }));
const SignDialog = lazyPart(() => import("./guests/SignDialog.tsx"));

const FRESH_MS = 30_000;

/** A query client with the data that came with the session, which is not requested again at once. */
function queriesWith(screen: OpenSession["screen"]): QueryClient {
  const queries = new QueryClient();
  for (const [key, answer] of screen?.answers ?? []) {
    queries.setQueryDefaults(key, { staleTime: FRESH_MS });
    queries.setQueryData(key, answer);
  }
  return queries;
}

/**
 * An opened share with a separate query cache: its data is discarded when the link closes, and data of a signed-in
 * person is never shown in its place.
 */
export function OpenedShare(props: OpenedShareProps) {
  const { shareId, memoryOfAlbum, session, token, renew, onRefused, onSession, children } = props;
  const [client] = useState(() => shareClient({ token, renew, onClosed: onRefused }));
  const [queries] = useState(() => queriesWith(session.screen));
  const memoryId = session.albumId === null ? session.memoryId : (memoryOfAlbum ?? null);

  // A realtime channel keeps the token that it got last, so it gets each new one.
  useEffect(() => {
    if (session.token) client.realtime.setAuth().catch(() => {});
  }, [client, session.token]);

  // A new version of the link or another person may see more or less, and so may a change of visible names.
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

/** Watches for changes to the link, also while the visitor does nothing. */
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
    // The version is unchanged, so only these settings are new.
    else if (now.version === session.version)
      onSession({ ...session, showsNames: now.shows_names === true, moderated: now.moderated === true });
    else onRefused();
  });
  useEffect(() => {
    if (isOpen === false) onRefused();
  }, [isOpen, onRefused]);
  return null;
}
