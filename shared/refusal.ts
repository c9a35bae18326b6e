/** An answer of "no" that speaks to a person: its message may be shown as it is. Anything else is a bug and says nothing. */
export class Refusal extends Error {
  constructor(
    /** HTTP status, 400 to 499. */
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
