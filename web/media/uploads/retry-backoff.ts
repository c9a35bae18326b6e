const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/** Delays between retries, all of which can be cut short, e.g. when the network is back or the phone wakes. */
export class RetryBackoff {
  readonly #waiting = new Set<() => void>();
  readonly #wait: (ms: number, woken: Promise<void>) => Promise<void>;

  constructor(wait = waitOrWake) {
    this.#wait = wait;
  }

  /** Waits before a retry: from 250 ms after the first attempt (1) up to 30 s. */
  async after(attempt: number, signal?: AbortSignal): Promise<void> {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.add(wake);
    signal?.addEventListener("abort", wake);
    await this.#wait(Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)), woken);
    signal?.removeEventListener("abort", wake);
    this.#waiting.delete(wake);
  }

  wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

function waitOrWake(ms: number, woken: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void woken.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
