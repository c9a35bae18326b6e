/** Hands out the tokens that the bot check's widget makes, each of them once. */
export interface CaptchaTokens {
  /** The widget made a token. */
  made(token: string): void;
  /** The stored token has expired. */
  expired(): void;
  /** No token will come: waiting requests continue without one, and the server decides. */
  failed(): void;
  /** The person is asked to act, which may take a while: no request times out from now on. */
  asked(): void;
  /** The next token; undefined if none comes within `milliseconds`. */
  take(milliseconds: number): Promise<string | undefined>;
}

interface Waiting {
  resolve: (token: string | undefined) => void;
  timer: ReturnType<typeof setTimeout>;
}

export function captchaTokens(): CaptchaTokens {
  let ready: string | undefined;
  const waiting = new Set<Waiting>();
  const serve = (one: Waiting, token: string | undefined) => {
    clearTimeout(one.timer);
    waiting.delete(one);
    one.resolve(token);
  };
  return {
    made(token) {
      const [first] = waiting;
      if (first) serve(first, token);
      else ready = token;
    },
    expired() {
      ready = undefined;
    },
    failed() {
      ready = undefined;
      for (const one of waiting) serve(one, undefined);
    },
    asked() {
      for (const { timer } of waiting) clearTimeout(timer);
    },
    take(milliseconds) {
      const token = ready;
      ready = undefined;
      if (token !== undefined) return Promise.resolve(token);
      return new Promise((resolve) => {
        const one: Waiting = { resolve, timer: setTimeout(() => serve(one, undefined), milliseconds) };
        waiting.add(one);
      });
    },
  };
}
