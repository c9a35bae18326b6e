import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { afterFailure, nextStep, type OpenSession, type ShareState } from "../../data/share-state.ts";
import { copiesOfLink, forgetCopies } from "../../lib/offline/copies.ts";
import { offline } from "../../lib/offline/offline-state.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { useSession } from "../../lib/session/session.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";
import {
  endSession,
  forgetSession,
  isCutInvitation,
  keptSession,
  lastToken,
  openShare,
  requiredSecret,
  type Secret,
  takeGuestKey,
  takeInvitationToken,
} from "./share-session.ts";

/** Opens a share and renews its token. Its state says which screen to show. `prepare` loads the opened page's code. */
export function useShare(shareId: string, prepare: () => Promise<unknown>) {
  // The identity from an email's link takes precedence over an earlier session of this tab.
  const [arrived] = useState(() => {
    takeInvitationToken(shareId);
    return takeGuestKey(shareId);
  });
  const [share, setShare] = useState<ShareState>(() => {
    // No link has another length, so that no PIN would open it.
    if (shareId.length !== 22) return { state: "ended", reason: "cut" };
    const session = offline.get() ? undefined : keptSession(shareId);
    if (session) return { state: "open", session };
    // The token of this tab may tell the gate more, e.g. that the link has expired.
    const asks = lastToken(shareId) === undefined ? requiredSecret(shareId) : undefined;
    return asks ? { state: "pin", asks, reason: "asked" } : { state: "opening" };
  });
  const [checking, setChecking] = useState(false);
  // A ref, so that the client reads the newest token for every request and need not be created again.
  const current = useRef<OpenSession | undefined>(share.state === "open" ? share.session : undefined);

  const become = useCallback((session: OpenSession) => {
    current.current = session;
    setShare({ state: "open", session });
  }, []);

  const close = useCallback(
    (next: ShareState) => {
      current.current = undefined;
      if (next.state === "ended" && next.reason === "expired") endSession(shareId);
      else forgetSession(shareId);
      // The page that was open learns from the server that the link has ended, and not why.
      setShare((last) => (last.state === "ended" && last.reason === "declined" ? last : next));
    },
    [shareId],
  );

  const open = useCallback(
    async (secret: Secret = {}) => {
      setChecking(true);
      try {
        // Ignored here, because the opened page reports a failure to load its code.
        const prepared = prepare().catch(() => {});
        const copyInstead = async (error?: unknown) =>
          (await import("./link-copy.ts")).openLinkCopy(shareId, secret, error);
        const session = await (offline.get() ? copyInstead() : openShare(shareId, secret).catch(copyInstead));
        await prepared;
        // The transition prevents a loading view in between, after which React would delay the memory by 0.3 s.
        startTransition(() => become(session));
      } catch (error) {
        setShare(afterFailure(error, { had: false, pin: Object.keys(secret).length > 0, cut: isCutInvitation() }));
      } finally {
        setChecking(false);
      }
    },
    [become, prepare, shareId],
  );

  /** Renews the token and resolves to it. If the link must be opened again, closes the share and rejects. */
  const renew = useCallback(async (): Promise<string> => {
    try {
      const session = await openShare(shareId, { held: current.current?.token });
      become(session);
      return session.token;
    } catch (error) {
      const endsAt = current.current?.endsAt ?? null;
      const over = endsAt !== null && Date.parse(endsAt) <= serverNow();
      const next = afterFailure(error, { had: true, pin: false, over });
      // After a network failure, the share stays open with the content that is displayed.
      if (next.state !== "unreachable") close(next);
      throw error;
    }
  }, [become, close, shareId]);

  // Nothing of a link stays on this device after the link, its secret or the visitor's right has ended.
  const isRefused = /pin|locked|ended/.test(share.state);
  useEffect(() => {
    if (isRefused) void forgetCopies(copiesOfLink(shareId));
  }, [isRefused, shareId]);

  const isOpening = share.state === "opening";
  useEffect(() => {
    if (isOpening) void open();
  }, [isOpening, open]);

  const session = share.state === "open" ? share.session : undefined;
  useEffect(() => {
    if (!session) return;
    const { step, after } = nextStep(session, Date.now(), serverNow());
    const timer = setTimeout(() => {
      if (step === "end") close({ state: "ended", reason: "expired" });
      else void renew().catch(() => {});
    }, after);
    return () => clearTimeout(timer);
  }, [session, close, renew]);

  // After signing in or out, opens the link once with the new identity, and accepts the identity that the server
  // returns.
  const person = useSession();
  const me = person.state === "loading" ? undefined : person.state === "signed in" ? person.user.id : null;
  const askedAs = useRef<string | null>(undefined);
  useEffect(() => {
    if (!session || me === undefined || me === askedAs.current) return;
    askedAs.current = me;
    if ((claimsIn(session.token).sub ?? null) !== me || (arrived && !session.guest)) void renew().catch(() => {});
  }, [session, me, renew, arrived]);

  const renewing = useRef<Promise<unknown>>(undefined);
  /** Checks, after a refusal or change, whether the link still opens. Concurrent calls share one check. */
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
    declined: useCallback(() => close({ state: "ended", reason: "declined" }), [close]),
    forgotten: useCallback(() => {
      void forgetCopies(copiesOfLink(shareId));
      close({ state: "opening" });
    }, [close, shareId]),
    waited: useCallback(
      () => setShare((before) => ({ state: "pin", asks: "asks" in before ? before.asks : "pin", reason: "waited" })),
      [],
    ),
  };
}
