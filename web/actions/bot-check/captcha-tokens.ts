/** Single-use tokens of the bot check's widget, and the requests that wait for one. */
export interface CaptchaTokens {
  /** Passes a new token to a waiting request, or stores it. */
  made(token: string): void;
  /** Discards the stored token, which has expired. */
  expired(): void;
  /** Lets waiting requests continue without a token after the widget failed; the server decides. */
  failed(): void;
  /** Cancels the timeouts of waiting requests, because the widget now requires an interaction. */
  cancelTimeouts(): void;
  /** Resolves to the next token, or to undefined after `milliseconds`. */
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
    cancelTimeouts() {
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
