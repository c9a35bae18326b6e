/** Spec §8: the errors of the profile. */
export const FAILURES = {
  notAuthenticated: "Not authenticated",
  sessionExpired: "Session expired. Please sign in again.",
  noUserData: "Failed to get updated user data",
  notSaved: "Failed to update profile. Please try again.",
} as const;

/** An error of Spec §8; its key names the text under `profile:failure`. */
export class ProfileFailure extends Error {
  constructor(
    readonly key: keyof typeof FAILURES,
    options?: ErrorOptions,
  ) {
    super(FAILURES[key], options);
  }
}

const ENDED = ["bad_jwt", "session_not_found", "session_expired", "refresh_token_not_found", "user_not_found"];

/** Whether the server no longer knows the session. */
export const isSessionOver = (error: { name?: string; code?: unknown }): boolean =>
  error.name === "AuthSessionMissingError" || (typeof error.code === "string" && ENDED.includes(error.code));
