import { useCallback, useEffect, useRef, useState } from "react";
import type { OpenedLetter } from "../../../shared/letter.ts";
import { callFunction, FunctionRefusal } from "../../lib/request/call-function.ts";

const RETRY_MS = 5000;

type LetterState =
  | { state: "opening" }
  | { state: "open"; letter: OpenedLetter }
  | { state: "ended" }
  | { state: "unreachable" };

/** Opens a letter by the key of its link. A server that cannot be reached is asked again. */
export function useLetterSession(key: string) {
  const [state, setState] = useState<LetterState>({ state: "opening" });
  const current = useRef<OpenedLetter>(undefined);

  const close = useCallback(() => {
    current.current = undefined;
    setState({ state: "ended" });
  }, []);

  /** Opens the letter again and resolves to its token. Rejects if it has ended or cannot be reached. */
  const open = useCallback(async (): Promise<string> => {
    try {
      const letter = await callFunction<OpenedLetter>("open-letter", { key });
      current.current = letter;
      setState({ state: "open", letter });
      return letter.token;
    } catch (error) {
      // 400: the key was cut, e.g. by a messenger.
      if (error instanceof FunctionRefusal && (error.status === 410 || error.status === 400)) close();
      // Without a network an open letter stays, with what was typed.
      else if (!current.current) setState({ state: "unreachable" });
      throw error;
    }
  }, [key, close]);

  useEffect(() => {
    if (state.state === "opening") void open().catch(() => {});
    if (state.state !== "unreachable") return;
    const timer = setInterval(() => void open().catch(() => {}), RETRY_MS);
    return () => clearInterval(timer);
  }, [state, open]);

  return { state, open, close, token: useCallback(() => current.current?.token ?? "", []) };
}
