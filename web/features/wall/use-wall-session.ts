import { useCallback, useEffect, useRef, useState } from "react";
import type { OpenedWall } from "../../../shared/wall.ts";
import { callFunction, FunctionRefusal } from "../../lib/request/call-function.ts";

/** Tokens are renewed this long before they end, in seconds. */
const RENEW_BEFORE = 300;
const RETRY_MS = { off: 15_000, unreachable: 5000 };
/** The longest pause between two attempts. */
const LONGEST_MS = 60_000;

type WallState =
  | { state: "opening" }
  | { state: "open"; wall: OpenedWall }
  | { state: "off" }
  | { state: "unreachable" };

/**
 * Opens a wall and renews its token. A wall that is off, and a server that cannot be reached, are asked again, so that
 * a screen that nobody can reach comes back by itself.
 */
export function useWallSession(wallId: string) {
  const [state, setState] = useState<WallState>({ state: "opening" });
  const current = useRef<OpenedWall>(undefined);
  const attempts = useRef(0);

  const close = useCallback(() => {
    current.current = undefined;
    setState({ state: "off" });
  }, []);

  /** Opens the wall again and resolves to its token. Rejects if it is off or cannot be reached. */
  const open = useCallback(async (): Promise<string> => {
    try {
      const wall = await callFunction<OpenedWall>("open-wall", { wallId });
      attempts.current = 0;
      current.current = wall;
      setState({ state: "open", wall });
      return wall.token;
    } catch (error) {
      if (error instanceof FunctionRefusal && error.status === 404) close();
      // Without a network an open wall stays, with what it shows.
      else if (!current.current) setState({ state: "unreachable" });
      throw error;
    }
  }, [wallId, close]);

  useEffect(() => {
    if (state.state === "opening") {
      void open().catch(() => {});
      return;
    }
    const pause =
      state.state === "open"
        ? Math.max(1, state.wall.expiresIn - RENEW_BEFORE) * 1000
        : Math.min(LONGEST_MS, RETRY_MS[state.state] * 2 ** attempts.current++);
    let timer: ReturnType<typeof setTimeout>;
    const again = () => void open().catch(() => (timer = setTimeout(again, LONGEST_MS / 2)));
    timer = setTimeout(again, pause);
    return () => clearTimeout(timer);
  }, [state, open]);

  return { state, open, close, token: useCallback(() => current.current?.token ?? "", []) };
}
