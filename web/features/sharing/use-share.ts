import { useCallback, useEffect, useRef, useState } from "react";
import { forgetSession, keptSession, openShare } from "./share-session.ts";
import { afterFailure, type OpenSession, type ShareState } from "./share-state.ts";

const RENEW_BEFORE_MS = 5 * 60_000;

/** Opens a share and keeps it open; back to the PIN when the link does not open any more. */
export function useShare(shareId: string) {
  const [share, setShare] = useState<ShareState>(() => {
    const session = keptSession(shareId);
    return session ? { state: "open", session } : { state: "opening" };
  });
  const [checking, setChecking] = useState(false);
  // The client reads the newest token at every request, without being made anew.
  const current = useRef<OpenSession | undefined>(share.state === "open" ? share.session : undefined);

  const become = useCallback((session: OpenSession) => {
    current.current = session;
    setShare({ state: "open", session });
  }, []);

  const open = useCallback(
    async (pin?: string) => {
      setChecking(true);
      try {
        become(await openShare(shareId, { pin }));
      } catch (error) {
        setShare(afterFailure(error, { had: false, pin: pin !== undefined }));
      } finally {
        setChecking(false);
      }
    },
    [become, shareId],
  );

  /** Renews the token without a PIN, or rejects and closes when the link's holder has to open it again. */
  const renew = useCallback(async (): Promise<string> => {
    const token = current.current?.token;
    try {
      const session = await openShare(shareId, { token });
      become(session);
      return session.token;
    } catch (error) {
      const next = afterFailure(error, { had: true, pin: false });
      // Without a network what is on the screen stays there.
      if (next.state !== "unreachable") {
        current.current = undefined;
        forgetSession(shareId);
        setShare(next);
      }
      throw error;
    }
  }, [become, shareId]);

  const isOpening = share.state === "opening";
  useEffect(() => {
    if (isOpening) void open();
  }, [isOpening, open]);

  const expiresAt = share.state === "open" ? share.session.expiresAt : undefined;
  useEffect(() => {
    if (expiresAt === undefined) return;
    const timer = setTimeout(() => void renew().catch(() => {}), Math.max(0, expiresAt - Date.now() - RENEW_BEFORE_MS));
    return () => clearTimeout(timer);
  }, [expiresAt, renew]);

  const renewing = useRef<Promise<unknown>>(undefined);
  /** Something was refused: finds out, once for all that ask together, whether the link still opens. */
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
    token: useCallback(() => current.current?.token ?? "", []),
    again: useCallback(() => setShare({ state: "opening" }), []),
    waited: useCallback(() => setShare({ state: "pin", reason: "waited" }), []),
  };
}
