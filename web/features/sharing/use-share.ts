import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { afterFailure, nextStep, type OpenSession, type ShareState } from "../../data/share-state.ts";
import { useSession } from "../../lib/session/session.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";
import {
  askedByPage,
  forgetSession,
  keptSession,
  openShare,
  type Secret,
  takeGuestKey,
  takeInvitationToken,
} from "./share-session.ts";

/**
 * Opens a share and keeps it open; back to the share gate when the link does not open any more. `prepare` loads the code of
 * what it opens.
 */
export function useShare(shareId: string, prepare: () => Promise<unknown>) {
  // An email's link says as whom; what this tab had opened before does not.
  const [arrived] = useState(() => {
    takeInvitationToken(shareId);
    return takeGuestKey(shareId);
  });
  const [share, setShare] = useState<ShareState>(() => {
    const session = keptSession(shareId);
    if (session) return { state: "open", session };
    const asks = askedByPage(shareId);
    return asks ? { state: "pin", asks, reason: "asked" } : { state: "opening" };
  });
  const [checking, setChecking] = useState(false);
  // The client reads the newest token at every request, without being made anew.
  const current = useRef<OpenSession | undefined>(share.state === "open" ? share.session : undefined);

  const become = useCallback((session: OpenSession) => {
    current.current = session;
    setShare({ state: "open", session });
  }, []);

  const close = useCallback(
    (next: ShareState) => {
      current.current = undefined;
      forgetSession(shareId);
      setShare(next);
    },
    [shareId],
  );

  const open = useCallback(
    async (secret: Secret = {}) => {
      setChecking(true);
      try {
        // Where its code cannot be had, what shows it says so.
        const prepared = prepare().catch(() => {});
        const session = await openShare(shareId, secret);
        await prepared;
        // Without a view that waits in between, after which React would hold the memory back for 0.3 s.
        startTransition(() => become(session));
      } catch (error) {
        setShare(afterFailure(error, { had: false, pin: Object.keys(secret).length > 0 }));
      } finally {
        setChecking(false);
      }
    },
    [become, prepare, shareId],
  );

  /** Renews the token without being asked, or rejects and closes when the link's holder has to open it again. */
  const renew = useCallback(async (): Promise<string> => {
    try {
      const session = await openShare(shareId, { held: current.current?.token });
      become(session);
      return session.token;
    } catch (error) {
      const next = afterFailure(error, { had: true, pin: false });
      // Without a network what is on the screen stays there.
      if (next.state !== "unreachable") close(next);
      throw error;
    }
  }, [become, close, shareId]);

  const isOpening = share.state === "opening";
  useEffect(() => {
    if (isOpening) void open();
  }, [isOpening, open]);

  const session = share.state === "open" ? share.session : undefined;
  useEffect(() => {
    if (!session) return;
    const { step, after } = nextStep(session, Date.now());
    const timer = setTimeout(() => {
      if (step === "end") close({ state: "ended", reason: "expired" });
      else void renew().catch(() => {});
    }, after);
    return () => clearTimeout(timer);
  }, [session, close, renew]);

  // Who signs in or out goes on with the same link as who they are now; where the server sees it otherwise, that stands.
  const person = useSession();
  const me = person.state === "loading" ? undefined : person.state === "signed in" ? person.user.id : null;
  const asked = useRef<string | null>(undefined);
  useEffect(() => {
    if (!session || me === undefined || me === asked.current) return;
    asked.current = me;
    if ((claimsIn(session.token).sub ?? null) !== me || (arrived && !session.guest)) void renew().catch(() => {});
  }, [session, me, renew, arrived]);

  const renewing = useRef<Promise<unknown>>(undefined);
  /** Something was refused or changed: finds out, once for all that ask together, whether the link still opens. */
  const check = useCallback(() => {
    renewing.current ??= renew()
      .catch(() => {})
      .finally(() => {
        renewing.current = undefined;
      });
  }, [renew]);

  return {
    share,
    checking,
    open,
    check,
    renew,
    become,
    token: useCallback(() => current.current?.token ?? "", []),
    again: useCallback(() => setShare({ state: "opening" }), []),
    waited: useCallback(
      () => setShare((before) => ({ state: "pin", asks: "asks" in before ? before.asks : "pin", reason: "waited" })),
      [],
    ),
  };
}
