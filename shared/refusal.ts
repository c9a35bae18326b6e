/** An answer of "no" that speaks to a person: its message may be shown as it is. Anything else is a bug and says nothing. */
export class Refusal extends Error {
  constructor(
    /** HTTP status: 400 to 499, or 503. */
    readonly status: number,
    message: string,
    /** A word a program can act on, as `pin_wrong`. */
    readonly code?: string,
    /** Further facts for the program, as when a lock ends. */
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** A refusal that ends by itself: every protocol answers it with a `Retry-After` header. */
export class TemporaryRefusal extends Refusal {
  /** Whole seconds until the same request may succeed, at least 1. */
  readonly retryAfter: number;

  constructor(
    /** 429 when the caller asked for too much, 503 when the server has no capacity left. */
    override readonly status: 429 | 503,
    message: string,
    code: string,
    /** Seconds, rounded up. */
    retryAfter: number,
    details?: Record<string, unknown>,
  ) {
    super(status, message, code, details);
    this.retryAfter = Math.max(1, Math.ceil(retryAfter));
  }
}
