import type { AttemptLimiter } from "../attempt-limiter.ts";

/** A function whose right answers are worth guessing. */
export interface Guessable {
  attempts: AttemptLimiter;
  /** Whether the answer's JSON text says that the guess was wrong. */
  isWrong: (body: string) => boolean;
}
